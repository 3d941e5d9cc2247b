"""A deal replayed on the terminal: hands, auction, tricks with the offending card marked, claimed beside computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from belot_stats.cards import CALL_NAMES, CONTRACT_NAMES, RANK_NAMES, cards_in
from belot_stats.checks.collect import format_sides
from belot_stats.deal import Deal
from belot_stats.rules.table import seat_after, side_count
from belot_stats.texts import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import Console, RenderableType
    from rich.table import Table
    from rich.text import Text

    from belot_stats.checker import Checked
    from belot_stats.findings import Finding

SUIT_SYMBOLS = "♣♦♥♠"
CONTRACT_WORDS = ("clubs", "diamonds", "hearts", "spades", "no trumps", "all trumps")
MARK = "!"
NAME_WIDTH = 11


class Shown(NamedTuple):
    """What is shown beside the record itself: where it stands, what the match knows, findings of the match pass."""

    place: str
    hanging_in: int | None = None
    score: tuple[int, ...] | None = None
    total: tuple[int, ...] | None = None
    match_findings: tuple[Mapping[str, object], ...] = ()


def print_deal(checked: Checked, shown: Shown, console: Console) -> None:
    """Print one deal to *console*."""
    from rich.text import Text

    deal = checked.deal
    console.print(Text(visible(f"{deal.source} / {deal.match} / deal {deal.deal}"), style="bold"))
    details = [
        deal.rules,
        *([f"started {deal.started}"] if deal.started else []),
        f"end: {deal.end}",
        shown.place,
    ]
    console.print(Text(visible(" · ".join(details)), style="dim"))
    for title, body in (
        ("Hands", _hands(checked)),
        ("Auction", _auction(checked)),
        ("Tricks", _tricks(checked)),
        ("Declarations", _declarations(checked)),
        ("Score sheet", _sheet(checked, shown)),
        ("Findings", _findings(checked, shown)),
    ):
        if body is not None:
            console.print(Text(f"\n{title}", style="bold"))
            console.print(body)


def card_text(card: int) -> str:
    """Card as players read it.

    >>> card_text(11)
    '10♦'
    """
    rank = RANK_NAMES[card & 7]
    return ("10" if rank == "T" else rank) + SUIT_SYMBOLS[card >> 3]


def seat_name(deal: Deal, seat: int) -> str:
    """Seat number, and the player's name where there is one."""
    name = deal.players[seat] if deal.players is not None and seat < len(deal.players) else None
    return f"{seat} {visible(name)}" if name else f"seat {seat}"


def _short_name(deal: Deal, seat: int) -> str:
    name = seat_name(deal, seat)
    return name if len(name) <= NAME_WIDTH else name[: NAME_WIDTH - 1] + "…"


def _table(*headers: str) -> Table:
    from rich.table import Table

    return Table(*headers, box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))


def _hands(checked: Checked) -> RenderableType | None:
    from rich.text import Text

    deal = checked.deal
    hands = checked.computed.dealt_hands or deal.hands or deal.first_hands
    if hands is None:
        return Text("not in the log", style="italic")
    table = _table("seat", *SUIT_SYMBOLS, "dealt first" if deal.first_hands else "")
    for seat, mask in enumerate(hands):
        first = _cards(deal.first_hands[seat]) if deal.first_hands else ""
        dealer = " (dealer)" if seat == deal.dealer else ""
        table.add_row(
            Text(seat_name(deal, seat) + dealer),
            *(_suit(mask, suit) for suit in range(4)),
            Text(first, style="dim"),
        )
    return table


def _suit(mask: int, suit: int) -> str:
    ranks = [RANK_NAMES[card & 7] for card in cards_in(mask & 0xFF << 8 * suit)]
    return " ".join("10" if rank == "T" else rank for rank in reversed(ranks)) or "-"


def _cards(mask: int) -> str:
    return " ".join(card_text(card) for card in cards_in(mask))


def _at(findings: Iterable[Finding], **where: int) -> list[Finding]:
    return [item for item in findings if all(getattr(item, name) == value for name, value in where.items())]


def _auction(checked: Checked) -> RenderableType:
    from rich.text import Text

    deal, computed = checked.deal, checked.computed
    text = Text()
    seat = seat_after(checked.rules, deal.dealer)
    for index, call in enumerate(deal.auction or ()):
        is_wrong = bool(_at(checked.findings, call_index=index))
        text.append(f"{seat_name(deal, seat)}: ", style="dim")
        text.append(CALL_NAMES[call] + (MARK if is_wrong else ""), style="bold red" if is_wrong else "bold")
        text.append("   ")
        seat = seat_after(checked.rules, seat)
    if deal.auction is None:
        text.append("no calls in the log   ")
    if computed.contract is None or computed.declarer is None:
        text.append("\nno contract")
    else:
        level = {1: "", 2: ", contra", 4: ", recontra"}.get(computed.level or 1, f", times {computed.level}")
        text.append(f"\n{CONTRACT_WORDS[computed.contract]} by {seat_name(deal, computed.declarer)}{level}")
    return text


def _tricks(checked: Checked) -> RenderableType | None:
    from rich.text import Text

    deal, computed = checked.deal, checked.computed
    if not computed.trick_leaders:
        return Text(" ".join(card_text(card) for card in deal.plays)) if deal.plays else None
    players = checked.rules.players
    table = _table("trick", *(_short_name(deal, seat) for seat in range(players)), "won by", "points", "log")
    for number, leader in enumerate(computed.trick_leaders):
        cells = [Text("") for _ in range(players)]
        for position, card in enumerate(deal.plays[number * players : (number + 1) * players]):
            cells[(leader + position) % players] = _card_cell(
                checked, number * players + position, card, position == 0
            )
        is_complete = number < len(computed.trick_winners)
        won_by = _short_name(deal, computed.trick_winners[number]) if is_complete else ""
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
    return Text(_short_name(checked.deal, stated[number]) + MARK, style="bold red")


def _declarations(checked: Checked) -> RenderableType | None:
    from rich.text import Text

    computed, deal = checked.computed, checked.deal
    if not computed.declaration_results and not computed.belote_results:
        return None
    table = _table("seat", "announced", "cards", "points", "what became of it")
    for item in computed.declaration_results:
        cards = _cards(item.cards) if item.cards is not None else "?"
        table.add_row(
            Text(seat_name(deal, item.seat)), item.kind or "?", cards, str(item.points), item.status
        )
    for belote in computed.belote_results:
        points = str(checked.rules.belote_points) if belote.status == "counted" else "0"
        table.add_row(
            Text(seat_name(deal, belote.seat)),
            f"belote {SUIT_SYMBOLS[belote.suit]}",
            "",
            points,
            belote.status,
        )
    return table


def _sheet(checked: Checked, shown: Shown) -> RenderableType:
    """Computed and claimed side by side; a claim that differs is marked."""
    from rich.text import Text

    computed, claimed = checked.computed, checked.deal.claimed
    table = _table("", "by the rules", "the log says")
    made = {True: "made", False: "failed", None: None}
    score = shown.score if shown.score is not None else computed.score
    hung = f" + {shown.hanging_in} hung before" if shown.hanging_in and shown.score is None else ""
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
        ("outcome", computed.outcome, made[claimed.made]),
        ("score", (_sides(score) or "") + hung, _sides(claimed.score)),
        ("left hanging", str(computed.hanging), _text(claimed.hanging)),
        ("match total", _sides(shown.total), _sides(claimed.total)),
        ("match won by", None, _side(claimed.winner)),
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


def _members(checked: Checked, side: int) -> str:
    seats = [seat for seat in range(checked.rules.players) if not checked.rules.partners or seat % 2 == side]
    own = seats if checked.rules.partners else [side]
    return " and ".join(seat_name(checked.deal, seat) for seat in own)


def _contract(contract: int | None, level: int | None) -> str | None:
    if contract is None:
        return None
    return CONTRACT_NAMES[contract] + (f" times {level}" if level not in (None, 1) else "")


def _sides(values: tuple[int, ...] | None) -> str | None:
    return format_sides(values) if values else None


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
