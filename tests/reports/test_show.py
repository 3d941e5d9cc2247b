"""One deal on the terminal, of systems of every kind: what a player would look for is there, in his words."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rich.console import Console

from belot_stats.cards import ASHKAL
from belot_stats.checker import Checked, check_deal
from belot_stats.deal import Deal
from belot_stats.rules.table import hand_size, side_count
from belot_stats.ruleset import load_ruleset
from belot_stats.simulator.job import SimulationJob
from belot_stats.views.deal_words import sides_text
from belot_stats.views.show import Shown, print_deal

PRESETS = (
    "bela-2p", "bela-3p", "bela-4p", "belot-1001-2p", "belot-1001-3p", "belot-ru-3p", "belot-ru-pairs", "belot-world",
    "belote-fr", "belot-bg", "baloot",
)  # fmt: skip


def simulated(name: str, policy: str = "random", matches: int = 12, seed: int = 1) -> Iterator[Checked]:
    rules = load_ruleset(name)
    for deal in SimulationJob(rules, policy, seed, "matches")(range(1, matches + 1)):
        yield check_deal(deal, rules)


def first(deals: Iterator[Checked], is_wanted: Callable[[Checked], Any]) -> Checked:
    return next(checked for checked in deals if is_wanted(checked))


def page(checked: Checked, **more: Any) -> str:
    stream = io.StringIO()
    print_deal(
        checked, Shown(place="log.jsonl:1", **more), Console(file=stream, width=200, color_system=None)
    )
    return stream.getvalue()


def section(text: str, title: str) -> list[str]:
    lines = [line.rstrip() for line in text.splitlines()]
    start = lines.index(title) + 1
    return lines[start : lines.index("", start) if "" in lines[start:] else None]


@pytest.mark.parametrize("name", PRESETS)
def test_a_deal_of_every_system(name: str) -> None:
    checked = first(simulated(name, "sensible"), lambda c: c.computed.outcome in ("made", "failed"))
    rules, text = checked.rules, page(checked)
    hands, tricks, sheet = (section(text, title) for title in ("Hands", "Tricks", "Score sheet"))
    assert sum("(dealer)" in line for line in hands) == 1
    assert sum(line[0].isdigit() or line.startswith("seat ") for line in hands[1:]) == rules.players
    assert len(tricks) == 1 + hand_size(rules)
    assert sum(line.count("›") for line in tricks) == hand_size(rules)
    assert sheet[-1].count(" = ") == side_count(rules)
    unseen = (32 if rules.lowest_rank == 0 else 24) - rules.players * hand_size(rules)
    assert [line for line in hands if line.startswith("in no hand")] == [
        line for line in hands if line.endswith(f" {unseen} cards") and unseen
    ]
    assert any("in no hand" in line for line in hands) == (unseen > 0)


def test_an_exchange_says_what_was_given_for_what() -> None:
    checked = first(simulated("belot-ru-3p"), lambda c: c.deal.exchange is not None)
    assert checked.deal.turn_up is not None
    symbol = "♣♦♥♠"[checked.deal.turn_up[0] >> 3]
    lines = [line for line in section(page(checked), "Hands") if line.startswith("exchange: ")]
    assert len(lines) == 1
    assert f"gave 7{symbol} for " in lines[0]


def test_a_turned_up_card_goes_to_its_taker() -> None:
    checked = first(simulated("belote-fr"), lambda c: c.computed.outcome == "made")
    [line] = [line for line in section(page(checked), "Hands") if line.startswith("turned up: ")]
    name = (checked.deal.players or ())[checked.computed.declarer or 0]
    assert line.endswith(f"goes to {checked.computed.declarer} {name}")


def test_two_rounds_have_a_line_and_a_card_each() -> None:
    checked = first(
        simulated("belot-1001-3p", "sensible"),
        lambda c: len(c.deal.turn_up or ()) == 2 and c.computed.outcome == "made",
    )
    lines = section(page(checked), "Auction")
    assert [line.split(",")[0] for line in lines[:2]] == ["round 1", "round 2"]
    assert lines[0].count(": P") == 3


def test_all_passed_and_played_has_no_declarer() -> None:
    checked = first(
        simulated("belot-ru-pairs", "sensible", 60, 2), lambda c: c.computed.outcome == "all_pass"
    )
    text = page(checked)
    assert "without a declarer" in section(text, "Auction")[-1]
    sheet = section(text, "Score sheet")
    assert any(line.split(None, 1) == ["outcome", "played after all passed"] for line in sheet)
    score = checked.computed.score
    assert any(line.startswith("score") and sides_text(score) in line for line in sheet)
    assert min(score) < 0


def test_a_player_declared_himself_out() -> None:
    checked = first(simulated("belot-ru-3p", matches=40), lambda c: c.computed.outcome == "declared_out")
    text, by = page(checked, winner=2), checked.deal.ended_by
    assert by is not None
    assert by.seat is not None
    assert f"end: declared_out by {by.seat} " in text
    assert f"after {by.at} cards" in text
    sheet = section(text, "Score sheet")
    assert any(line.split(None, 1) == ["outcome", "declared out"] for line in sheet)
    assert not [line for line in sheet if line.startswith("score")]
    assert any(line.split()[:5] == ["match", "won", "by", "side", "2"] for line in sheet)


def test_declarations_on_lead_say_when() -> None:
    checked = first(
        simulated("belot-1001-2p", matches=40),
        lambda c: any((x.at or 0) > 0 and x.status == "counted" for x in c.computed.declaration_results),
    )
    at = next(x.at for x in checked.computed.declaration_results if x.at)
    assert any(f"on lead, trick {at // 2}" in line for line in section(page(checked), "Declarations"))


def stated(rules: str, **fields: Any) -> Checked:
    options = fields.pop("options", {})
    deal = Deal(source="s", match="m", deal=1, rules=rules, dealer=3, options=options, **fields)
    return check_deal(deal, load_ruleset(rules, options))


def test_the_whole_match_at_stake() -> None:
    checked = stated("belot-world", options={"multipliers": [2, 4, 0]}, auction=(2, 7, 8, 9, 6, 6, 6))
    assert checked.computed.level == 0
    text = page(checked)
    assert section(text, "Auction")[-1] == "hearts by seat 0, for the whole match"
    assert any(
        line.split(None, 1) == ["contract", "H for the whole match"] for line in section(text, "Score sheet")
    )
    assert "multipliers = [2, 4, 0]" in text


def test_baloot_calls_are_said_in_its_words() -> None:
    turn_up = (17,)  # the eight of hearts
    ashkal = page(stated("baloot", turn_up=turn_up, auction=(6, 6, ASHKAL, 6, 6, 6, 6, 6)))
    assert section(ashkal, "Auction")[-1].startswith("Sun by seat 2 (Ashkal)")
    assert "seat 2: AK" in ashkal
    closed = page(stated("baloot", turn_up=turn_up, auction=(2, 6, 6, 6, 6, 12, 6, 6, 6)))
    assert section(closed, "Auction")[-1] == "Hokum, hearts by seat 0, contra, closed"
    assert "seat 1: X-" in closed


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("policy", ["random", "sensible"])
def test_any_deal_can_be_shown(name: str, policy: str) -> None:
    for checked in simulated(name, policy, matches=1, seed=5):
        assert "Score sheet" in page(checked)
