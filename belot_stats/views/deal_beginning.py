"""The beginning of a deal on the terminal: hands, what lies turned up, the exchange, cards in no hand, the auction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from belot_stats.cards import CALL_NAMES, PASS
from belot_stats.parameters import BIDDING_FLOOR_CARD, BIDDING_TURN_UP
from belot_stats.rules.table import hand_size, pack_mask, seat_after
from belot_stats.rules.turn_up import exchange_seven
from belot_stats.views.deal_words import (
    SUIT_SYMBOLS,
    card_text,
    contract_text,
    hand_text,
    seat_name,
    suit_text,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

    from belot_stats.checker import Checked

MARK = "!"
IN_NO_HAND = "in no hand"


def columns(*headers: str) -> Table:
    """A table without lines."""
    from rich.table import Table

    return Table(*headers, box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))


def hands(checked: Checked) -> RenderableType:
    """A row a seat, one of the cards that nobody holds, and lines about what lies turned up."""
    from rich.console import Group
    from rich.text import Text

    deal = checked.deal
    known = checked.computed.dealt_hands or deal.hands or deal.first_hands
    lines = [Text(line, style="dim") for line in (_turn_up(checked), _exchange(checked)) if line]
    if known is None:
        return Group(Text("not in the log", style="italic"), *lines)
    table = columns("seat", *SUIT_SYMBOLS, "dealt first" if deal.first_hands else "")
    for seat, mask in enumerate(known):
        first = hand_text(deal.first_hands[seat]) if deal.first_hands else ""
        dealer = " (dealer)" if seat == deal.dealer else ""
        table.add_row(
            Text(seat_name(deal, seat) + dealer),
            *(suit_text(mask, suit) for suit in range(4)),
            Text(first, style="dim"),
        )
    unseen = unseen_mask(checked)
    if unseen:
        row = [Text(suit_text(unseen, suit), style="dim") for suit in range(4)]
        table.add_row(Text(IN_NO_HAND, style="dim"), *row, Text(f"{unseen.bit_count()} cards", style="dim"))
    return Group(table, *lines)


def unseen_mask(checked: Checked) -> int:
    """Cards of the pack that no seat holds when play begins; 0 where the hands are not known."""
    dealt = checked.computed.dealt_hands
    if dealt is None or any(mask.bit_count() != hand_size(checked.rules) for mask in dealt):
        return 0
    held = 0
    for mask in dealt:
        held |= mask
    return pack_mask(checked.rules) & ~held


def _turn_up(checked: Checked) -> str:
    """What was turned up, and where it went, as far as the hands tell."""
    deal = checked.deal
    if not deal.turn_up:
        return ""
    names = ", then ".join(card_text(card) for card in deal.turn_up)
    holder = _holder(checked, deal.turn_up[0])
    if checked.computed.dealt_hands is None or deal.exchange is not None:
        return f"turned up: {names}"
    if holder is not None:
        return f"turned up: {names}; {card_text(deal.turn_up[0])} goes to {seat_name(deal, holder)}"
    return f"turned up: {names}; nobody gets it"


def _holder(checked: Checked, card: int) -> int | None:
    dealt = checked.computed.dealt_hands or ()
    return next((seat for seat, mask in enumerate(dealt) if mask >> card & 1), None)


def _exchange(checked: Checked) -> str:
    deal = checked.deal
    if deal.exchange is None:
        return ""
    name = seat_name(deal, deal.exchange)
    if not deal.turn_up:
        return f"exchange: {name} gave the trump seven for a turn-up that is not in the log"
    seven, turned_up = card_text(exchange_seven(deal.turn_up[0])), card_text(deal.turn_up[0])
    return f"exchange: {name} gave {seven} for {turned_up}"


def auction(checked: Checked) -> RenderableType:
    """Each call with its seat, the wrong ones marked, and what they give."""
    from rich.text import Text

    deal = checked.deal
    text = Text()
    if deal.auction is None:
        text.append("no calls in the log   ")
    seat = seat_after(checked.rules, deal.dealer)
    for index, call in enumerate(deal.auction or ()):
        _begin_round(checked, index, text)
        is_wrong = any(item.call_index == index for item in checked.findings)
        text.append(f"{seat_name(deal, seat)}: ", style="dim")
        text.append(CALL_NAMES[call] + (MARK if is_wrong else ""), style="bold red" if is_wrong else "bold")
        text.append("   ")
        seat = seat_after(checked.rules, seat)
    text.append("\n" + contract_text(checked))
    return text


def _begin_round(checked: Checked, index: int, text: Text) -> None:
    """Bidding for a turned-up card goes round at most twice, each round for its own card or for other suits."""
    if checked.rules.bidding not in (BIDDING_TURN_UP, BIDDING_FLOOR_CARD):
        return
    calls, players = checked.deal.auction or (), checked.rules.players
    number = index // players
    is_second = number == 1 and all(call == PASS for call in calls[:players])
    if index % players or not (index == 0 or is_second):
        return
    turned_up = checked.deal.turn_up or ()
    card = f", {card_text(turned_up[number])}" if number < len(turned_up) else ""
    text.append(("\n" if index else "") + f"round {number + 1}{card}   ", style="dim")
