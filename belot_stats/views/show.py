"""A deal replayed on the terminal: hands, auction, tricks with the offending card marked, claimed beside computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belot_stats.cards import CONTRACT_NAMES
from belot_stats.parameters import WHOLE_MATCH
from belot_stats.rules.table import side_count
from belot_stats.texts import visible
from belot_stats.views import deal_beginning
from belot_stats.views.deal_beginning import MARK, columns
from belot_stats.views.deal_words import (
    SUIT_SYMBOLS,
    card_text,
    cards_text,
    end_text,
    hand_text,
    moment_text,
    outcome_text,
    seat_name,
    short_name,
    sides_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console, RenderableType
    from rich.text import Text

    from belot_stats.checker import Checked
    from belot_stats.findings import Finding


class Shown(NamedTuple):
    """What is shown beside the record itself: where it stands, what the match knows, findings of the match pass."""

    place: str
    hanging_in: int | None = None
    score: tuple[int, ...] | None = None
    total: tuple[int, ...] | None = None
    match_findings: tuple[Mapping[str, object], ...] = ()
    winner: int | None = None


def print_deal(checked: Checked, shown: Shown, console: Console) -> None:
    """Print one deal to *console*."""
    from rich.text import Text

    deal = checked.deal
    console.print(Text(visible(f"{deal.source} / {deal.match} / deal {deal.deal}"), style="bold"))
    details = [
        deal.rules,
        *(f"{name} = {value}" for name, value in deal.options.items()),
        *([f"started {deal.started}"] if deal.started else []),
        end_text(deal),
        shown.place,
    ]
    console.print(Text(visible(" · ".join(details)), style="dim"))
    for title, body in (
        ("Hands", deal_beginning.hands(checked)),
        ("Auction", deal_beginning.auction(checked)),
        ("Tricks", _tricks(checked)),
        ("Declarations", _declarations(checked)),
        ("Score sheet", _sheet(checked, shown)),
        ("Findings", _findings(checked, shown)),
    ):
        if body is not None:
            console.print(Text(f"\n{title}", style="bold"))
            console.print(body)


def _at(findings: Iterable[Finding], **where: int) -> list[Finding]:
    return [item for item in findings if all(getattr(item, name) == value for name, value in where.items())]


def _tricks(checked: Checked) -> RenderableType | None:
    from rich.text import Text

    deal, computed = checked.deal, checked.computed
    if not computed.trick_leaders:
        return Text(cards_text(deal.plays)) if deal.plays else None
    players = checked.rules.players
    table = columns("trick", *(short_name(deal, seat) for seat in range(players)), "won by", "points", "log")
    for number, leader in enumerate(computed.trick_leaders):
        cells = [Text("") for _ in range(players)]
        for position, card in enumerate(deal.plays[number * players : (number + 1) * players]):
            cells[(leader + position) % players] = _card_cell(
                checked, number * players + position, card, position == 0
            )
        is_complete = number < len(computed.trick_winners)
        won_by = short_name(deal, computed.trick_winners[number]) if is_complete else ""
        points = str(computed.trick_points[number]) if is_complete else ""
        table.add_row(str(number), *cells, Text(won_by), points, _claimed_winner(checked, number))
    return table


def _card_cell(checked: Checked, index: int, card: int, is_lead: bool) -> Text:
    from rich.text import Text

    wrong = [item for item in _at(checked.findings, card_index=index) if item.field == "plays"]
    text = ("› " if is_lead else "  ") + card_text(card) + (f"{MARK} {wrong[0].code}" if wrong else "")
    return Text(text, style="bold red" if wrong else "")


def _claimed_winner(checked: Checked, number: int) -> Text:
    from rich.text import Text

    stated = checked.deal.claimed.tricks
    if stated is None or number >= len(stated) or number >= len(checked.computed.trick_winners):
        return Text("")
    if stated[number] == checked.computed.trick_winners[number]:
        return Text("")
    return Text(short_name(checked.deal, stated[number]) + MARK, style="bold red")


def _declarations(checked: Checked) -> RenderableType | None:
    from rich.text import Text

    computed, deal = checked.computed, checked.deal
    if not computed.declaration_results and not computed.belote_results:
        return None
    table = columns("seat", "announced", "cards", "points", "when", "what became of it")
    for item in computed.declaration_results:
        table.add_row(
            Text(seat_name(deal, item.seat)),
            item.kind or "?",
            hand_text(item.cards) if item.cards is not None else "?",
            str(item.points),
            moment_text(checked, item.at, is_between=True),
            item.status,
        )
    for belote in computed.belote_results:
        points = str(checked.rules.belote_points) if belote.status == "counted" else "0"
        table.add_row(
            Text(seat_name(deal, belote.seat)),
            f"belote {SUIT_SYMBOLS[belote.suit]}",
            "",
            points,
            moment_text(checked, belote.at, is_between=False),
            belote.status,
        )
    return table


def _sheet(checked: Checked, shown: Shown) -> RenderableType:
    """Computed and claimed side by side; a claim that differs is marked."""
    from rich.text import Text

    computed, claimed = checked.computed, checked.deal.claimed
    table = columns("", "by the rules", "the log says")
    made = {True: "made", False: "failed", None: None}
    rows: Sequence[tuple[str, str | None, str | None]] = (
        (
            "contract",
            _contract(computed.contract, computed.level),
            _contract(claimed.contract, claimed.level),
        ),
        ("cards, last trick", _sides(computed.card_points), None),
        ("declarations", _sides(computed.declaration_points), None),
        ("belote", _sides(computed.belote_points), None),
        ("raw points", _sides(computed.points), _sides(claimed.points)),
        ("capot", _side(computed.capot_side), _side(claimed.capot)),
        ("outcome", outcome_text(computed.outcome), made[claimed.made]),
        ("score", _score(checked, shown), _sides(claimed.score)),
        ("left hanging", str(computed.hanging), _text(claimed.hanging)),
        ("match total", _sides(shown.total), _sides(claimed.total)),
        ("match won by", _side(shown.winner), _side(claimed.winner)),
    )
    wrong = {item.field for item in checked.findings} | {item.get("field") for item in shown.match_findings}
    fields = {
        "raw points": "points",
        "outcome": "made",
        "left hanging": "hanging",
        "match total": "total",
        "match won by": "winner",
    }
    for name, given, stated in rows:
        if given is None and stated is None:
            continue
        is_wrong = stated is not None and f"claimed.{fields.get(name, name)}" in wrong
        table.add_row(
            name,
            given or "",
            Text((stated or "") + (MARK if is_wrong else ""), style="bold red" if is_wrong else ""),
        )
    from rich.console import Group

    sides = "sides: " + ", ".join(
        f"{side} = {_members(checked, side)}" for side in range(side_count(checked.rules))
    )
    return Group(table, Text(sides, style="dim"))


def _score(checked: Checked, shown: Shown) -> str | None:
    """Score of the deal, hung points won in it where the match is known; a deal without a result writes none."""
    computed = checked.computed
    if shown.score is not None:
        return _sides(shown.score)
    if not computed.is_scored and computed.outcome != "passed":
        return None
    hung = f" + {shown.hanging_in} hung before" if shown.hanging_in else ""
    return (_sides(computed.score) or "") + hung


def _members(checked: Checked, side: int) -> str:
    seats = [seat for seat in range(checked.rules.players) if not checked.rules.partners or seat % 2 == side]
    own = seats if checked.rules.partners else [side]
    return " and ".join(seat_name(checked.deal, seat) for seat in own)


def _contract(contract: int | None, level: int | None) -> str | None:
    if contract is None:
        return None
    if level == WHOLE_MATCH:
        return f"{CONTRACT_NAMES[contract]} for the whole match"
    return CONTRACT_NAMES[contract] + (f" times {level}" if level not in (None, 1) else "")


def _sides(values: tuple[int, ...] | None) -> str | None:
    return sides_text(values) if values else None


def _side(side: int | None) -> str | None:
    return f"side {side}" if side is not None else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _findings(checked: Checked, shown: Shown) -> RenderableType:
    from rich.text import Text

    text = Text()
    for item in checked.findings:
        seat = f" ({seat_name(checked.deal, item.seat)})" if item.seat is not None else ""
        trick = f" in trick {item.trick}" if item.trick is not None else ""
        text.append(f"{item.severity:<12} {item.code}{seat}{trick}: ", style="bold")
        text.append(visible(f"expected {item.expected}; found {item.found}") + "\n")
    for row in shown.match_findings:
        text.append(f"{row['severity']:<12} {row['code']} (in the match): ", style="bold")
        text.append(visible(f"expected {row['expected']}; found {row['found']}") + "\n")
    return text if text.plain else Text("none")
