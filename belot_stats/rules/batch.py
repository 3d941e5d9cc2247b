"""Deals by the million: the compiled loops over columns, made of the rule functions that serve one deal.

:func:`random_deals` deals, calls, plays and settles single deals in which every legal call and card is equally
likely: the same deals, from the same streams, as the policy ``random`` makes one by one.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from belot_stats import cards as card_names
from belot_stats import parameters as p
from belot_stats.cards import (
    ALL_TRUMPS,
    KING,
    NO_CARD,
    NO_CONTRACT,
    NO_SEAT,
    NO_SUIT,
    NO_TRUMPS,
    PASS,
    QUEEN,
)
from belot_stats.rules import auction, baloot, bidding, declarations, match, play, scoring, table, turn_up
from belot_stats.record_columns import RecordColumns
from belot_stats.rules.batch_check import build_check
from belot_stats.rules.compiling import compiled_twins, rules_record
from belot_stats.rules.declarations import CARRE, COUNTED, Announcement
from belot_stats.rules.scoring import ALL_PASS, DealPoints
from belot_stats.rules.table import NO_SIDE, hand_size, side_count
from belot_stats.ruleset import RuleSet

Column = npt.NDArray[Any]
MODULES = (card_names, table, auction, bidding, turn_up, play, declarations, baloot, scoring, match)
MOST_DECLARATIONS = 12
MOST_BELOTES = 4
PASSED_OUT = 4  # a result beside FAILED, MADE, HANGING, ALL_PASS
HUNDRED = 100


class DealColumns(NamedTuple):
    """Deals in columns, one row a deal. Seats, sides and cards as everywhere; what does not exist is -1 or 0.

    first_hands, hands: card masks a seat.  calls, plays, winners: filled up to call_count, play_count and their tricks.
    result: FAILED, MADE, HANGING, ALL_PASS or PASSED_OUT.  points, score and their like: a triple a deal.
    """

    dealer: Column  # int8 [n]
    turn_up: Column  # int8 [n, 2]
    first_hands: Column  # uint32 [n, players]
    hands: Column  # uint32 [n, players]
    exchange: Column  # int8 [n]
    calls: Column  # uint8 [n, most]
    call_count: Column  # uint8 [n]
    plays: Column  # uint8 [n, cards]
    play_count: Column  # uint8 [n]
    winners: Column  # uint8 [n, tricks]
    trick_points: Column  # uint8 [n, tricks]
    declared_seat: Column  # uint8 [n, 12]
    declared_mask: Column  # uint32 [n, 12]
    declared_at: Column  # uint8 [n, 12]
    declared_fate: Column  # uint8 [n, 12]: COUNTED, BEATEN, TIED, NO_TRICK
    declared_place: Column  # uint8 [n, 12]: place in the record, of those in the order announced
    declared_count: Column  # uint8 [n]
    belote_seat: Column  # uint8 [n, 4]
    belote_suit: Column  # uint8 [n, 4]
    belote_at: Column  # uint8 [n, 4]
    belote_counts: Column  # uint8 [n, 4]
    belote_count: Column  # uint8 [n]
    contract: Column  # int8 [n]
    declarer: Column  # int8 [n]
    level: Column  # uint8 [n]
    result: Column  # uint8 [n]
    tricks_won: Column  # uint8 [n, 3]
    card_points: Column  # int32 [n, 3]
    declaration_points: Column  # int32 [n, 3]
    belote_points: Column  # int32 [n, 3]
    points: Column  # int32 [n, 3]
    capot: Column  # int8 [n]
    score: Column  # int32 [n, 3]
    hanging: Column  # int32 [n]


def most_calls(rules: RuleSet) -> int:
    """More calls than any auction of *rules* can have."""
    levels = sum(level != p.NO_LEVEL for level in rules.multipliers)
    return 2 * rules.players + 6 * (1 + levels) * rules.players


def empty_columns(rules: RuleSet, count: int) -> DealColumns:
    """Columns for *count* deals, not filled."""
    seats, tricks = rules.players, hand_size(rules)
    widths = {
        "turn_up": 2,
        "first_hands": seats,
        "hands": seats,
        "calls": most_calls(rules),
        "plays": seats * tricks,
        "winners": tricks,
        "trick_points": tricks,
        **dict.fromkeys(("tricks_won", "card_points", "declaration_points", "belote_points", "points", "score"), 3),
        **dict.fromkeys(("declared_seat", "declared_mask", "declared_at", "declared_fate", "declared_place"), MOST_DECLARATIONS),
        **dict.fromkeys(("belote_seat", "belote_suit", "belote_at", "belote_counts"), MOST_BELOTES),
    }
    signed = ("dealer", "turn_up", "exchange", "contract", "declarer", "capot")
    wide = ("card_points", "declaration_points", "belote_points", "points", "score", "hanging")
    masks = ("first_hands", "hands", "declared_mask")

    def column(name: str) -> Column:
        kind = np.int8 if name in signed else np.int32 if name in wide else np.uint32 if name in masks else np.uint8
        return np.zeros((count, widths[name]) if name in widths else count, dtype=kind)

    return DealColumns(*(column(name) for name in DealColumns._fields))


def random_deals(rules: RuleSet, seed: int, first_deal: int, count: int) -> DealColumns:
    """Single deals number *first_deal* and following of the policy ``random``."""
    columns = empty_columns(rules, count)
    _loops()["random"](rules_record(rules), np.uint64(seed), np.uint64(first_deal), columns, Scratch.empty(rules))
    return columns


def check_records(rules: RuleSet, records: RecordColumns) -> tuple[DealColumns, Column]:
    """Results of deals in columns, and which of them are DOUBTFUL and left to the checker (uint8 a row)."""
    count = len(records.dealer)
    columns, status = empty_columns(rules, count), np.empty(count, dtype=np.uint8)
    _loops()["check"](rules_record(rules), records, columns, Scratch.empty(rules), status)
    return columns, status


class Scratch(NamedTuple):
    """Arrays that a loop works in, and what it knows of the rules beforehand."""

    pack: Column
    hands: Column
    states: Column  # a stream a seat
    legal_calls: Column
    first_packets: Column
    second_packets: Column
    worth: Column  # points [contract, card]
    tricks_won: Column
    card_points: Column
    declared: Column
    belotes: Column
    trick: Column
    seat_at: Column  # seat that played each card of the deal
    place_of: Column  # place of each card among those played

    @classmethod
    def empty(cls, rules: RuleSet) -> Scratch:
        """Scratch arrays for *rules*."""
        worth = [[play.card_points(contract, card) for card in range(32)] for contract in range(6)]
        pack = [card for card in range(32) if table.pack_mask(rules) >> card & 1]
        return cls(
            np.array([pack, pack, pack], dtype=np.int64),
            np.zeros(4, dtype=np.int64),
            np.zeros(5, dtype=np.uint64),
            np.full((7, 5, 4), -1, dtype=np.int64),
            np.array([int(digit) for digit in str(rules.first_packets)], dtype=np.int64),
            np.array([int(digit) for digit in str(rules.second_packets)], dtype=np.int64),
            np.array(worth, dtype=np.int64),
            np.zeros(3, dtype=np.int64),
            np.zeros(3, dtype=np.int64),
            np.zeros(3, dtype=np.int64),
            np.zeros(3, dtype=np.int64),
            np.zeros(4, dtype=np.int64),
            np.zeros(36, dtype=np.int64),
            np.zeros(32, dtype=np.int64),
        )


@cache
def _loops() -> dict[str, Any]:
    """The compiled loops, made when they are first asked for."""
    twins = compiled_twins(MODULES)
    legal_mask, lead_mask, beats = twins["legal_mask"], twins["lead_mask"], twins["beats"]
    start_auction, after_call, legal_call_mask = (
        twins["start_auction"],
        twins["after_call"],
        twins["legal_call_mask"],
    )
    level_of, has_turn_up_bidding = twins["level_of"], twins["has_turn_up_bidding"]
    turn_up_receiver, all_pass_contract = twins["turn_up_receiver"], twins["all_pass_contract"]
    may_exchange, after_exchange = twins["may_exchange"], twins["after_exchange"]
    best_combinations, settle_announcements = twins["best_combinations"], twins["settle_announcements"]
    combination_points, kind_of, declarations_count = (
        twins["combination_points"],
        twins["kind_of"],
        twins["declarations_count"],
    )
    settle_deal, settle_all_pass, raw_total = twins["settle_deal"], twins["settle_all_pass"], twins["raw_total"]
    side_of, side_count_of, seat_after = twins["side_of"], twins["side_count"], twins["seat_after"]
    GAMMA, MIX_1, MIX_2 = (
        np.uint64(0x9E37_79B9_7F4A_7C15),
        np.uint64(0xBF58_476D_1CE4_E5B9),
        np.uint64(0x94D0_49BB_1331_11EB),
    )
    U27, U30, U31, U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
    HALF = np.uint64(0xFFFF_FFFF)
    DEALING, POLICY, SINGLE = np.uint64(1), np.uint64(2), np.uint64(0)

    @njit(inline="always")
    def mix(word):
        word = (word ^ (word >> U30)) * MIX_1
        word = (word ^ (word >> U27)) * MIX_2
        return word ^ (word >> U31)

    @njit(inline="always")
    def named(key, number):
        return mix((key + GAMMA) ^ number)

    @njit
    def below(states, slot, bound):
        while True:
            states[slot] += GAMMA
            product = (mix(states[slot]) >> U32) * np.uint64(bound)
            low = product & HALF
            if low >= np.uint64(bound) or low >= (HALF + np.uint64(1)) % np.uint64(bound):
                return np.int64(product >> U32)

    @njit(inline="always")
    def count_bits(mask):
        mask = mask - ((mask >> 1) & 0x55555555)
        mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
        mask = (mask + (mask >> 4)) & 0x0F0F0F0F
        return ((mask * 0x01010101) & 0xFFFFFFFF) >> 24

    @njit(inline="always")
    def bit_of(states, slot, mask):
        for _ in range(below(states, slot, count_bits(mask))):
            mask &= mask - 1
        return count_bits((mask & -mask) - 1)

    @njit
    def shuffle(states, pack):
        for place in range(pack.shape[1]):
            pack[1, place] = pack[0, place]
        for last in range(pack.shape[1] - 1, 0, -1):
            other = below(states, 4, last + 1)
            held = pack[1, last]
            pack[1, last] = pack[1, other]
            pack[1, other] = held

    @njit
    def deal_packets(rules, hands, pack, place, packets, dealer, short_seat):
        for number in range(packets.size):
            for turn in range(rules.players):
                seat = (dealer + 1 + turn) % rules.players
                size = packets[number]
                if seat == short_seat and number == packets.size - 1:
                    size -= 1
                for card in pack[1, place : place + size]:
                    hands[seat] |= 1 << card
                place += size
        return place

    @njit
    def has_combination(rules, hand):
        """Whether a hand may hold a run of three or four of a kind: seldom, and cheaply seen."""
        runs = hand & hand >> 1 & hand >> 2 & 0x3F3F3F3F
        fours = hand & hand >> 8 & hand >> 16 & hand >> 24 & 0xFF
        return runs != 0 or fours != 0

    @njit
    def allowed_calls(rules, auction, memory, remembers):
        if not remembers:
            return legal_call_mask(rules, auction)
        distance = (auction.turn_seat - auction.declarer_seat) % rules.players
        known = memory[auction.contract + 1, auction.doubles, distance]
        if known < 0:
            known = legal_call_mask(rules, auction)
            memory[auction.contract + 1, auction.doubles, distance] = known
        return known

    @njit
    def announce(rules, contract, hand, seat, at, row, columns):
        count = np.int64(columns.declared_count[row])
        if has_combination(rules, hand):
            for mask in best_combinations(rules, contract, hand):
                columns.declared_seat[row, count] = seat
                columns.declared_mask[row, count] = mask
                columns.declared_at[row, count] = at
                count += 1
        columns.declared_count[row] = count

    @njit
    def count_declarations(rules, contract, is_all_pass, leader, row, columns, scratch):
        sides = side_count_of(rules)
        count = np.int64(columns.declared_count[row])
        for side in range(3):
            scratch.declared[side] = 0
        if count == 0:
            return
        announced = [
            Announcement(
                np.int64(columns.declared_seat[row, i]),
                np.int64(columns.declared_mask[row, i]),
                np.int64(columns.declared_at[row, i]),
            )
            for i in range(count)
        ]
        fates = settle_announcements(rules, contract, announced, leader)
        for i in range(count):
            side = side_of(rules, announced[i].seat)
            fate = fates[i]
            columns.declared_fate[row, i] = fate
            taken = scratch.tricks_won[side]
            if is_all_pass:
                taken = scratch.tricks_won[0] + scratch.tricks_won[1] + scratch.tricks_won[2] - taken
            if fate == COUNTED and (taken > 0 or not rules.declarations_need_trick):
                scratch.declared[side] += combination_points(rules, contract, announced[i].cards_mask)
            elif fate == COUNTED:
                columns.declared_fate[row, i] = 3

    @njit
    def stands_in_hundred(rules, contract, seat, suit, row, columns):
        pair = (1 << QUEEN | 1 << KING) << 8 * suit
        for i in range(columns.declared_count[row]):
            mask = np.int64(columns.declared_mask[row, i])
            if columns.declared_seat[row, i] != seat or columns.declared_fate[row, i] != COUNTED:
                continue
            if combination_points(rules, contract, mask) < HUNDRED:
                continue
            if mask & pair == pair or (kind_of(mask) == CARRE and mask & pair != 0):
                return True
        return False

    @njit
    def count_belotes(rules, contract, is_all_pass, row, columns, scratch):
        for side in range(3):
            scratch.belotes[side] = 0
        for i in range(columns.belote_count[row]):
            seat = np.int64(columns.belote_seat[row, i])
            side = side_of(rules, seat)
            has_trick = scratch.tricks_won[side] > 0 or is_all_pass or not rules.belote_needs_trick
            counts = has_trick and (
                rules.belote_with_hundred
                or not stands_in_hundred(rules, contract, seat, np.int64(columns.belote_suit[row, i]), row, columns)
            )
            columns.belote_counts[row, i] = counts
            if counts:
                scratch.belotes[side] += rules.belote_points

    @njit
    def settle(rules, contract, level, declarer, leader, last_seat, row, columns, scratch):
        """Points and score of a deal that was played out."""
        sides, is_all_pass = side_count_of(rules), declarer == NO_SEAT
        won, cards = scratch.tricks_won, scratch.card_points
        cards[side_of(rules, last_seat)] += rules.last_trick_points
        count_declarations(rules, contract, is_all_pass, leader, row, columns, scratch)
        count_belotes(rules, contract, is_all_pass, row, columns, scratch)
        capot = NO_SIDE
        takers = 0
        for side in range(sides):
            if won[side] > 0:
                takers += 1
                capot = side
        if takers != 1:
            capot = NO_SIDE
        declared, belotes = scratch.declared, scratch.belotes
        total = (
            raw_total(rules, contract, cards[0], declared[0], belotes[0], capot == 0),
            raw_total(rules, contract, cards[1], declared[1], belotes[1], capot == 1),
            raw_total(rules, contract, cards[2], declared[2], belotes[2], capot == 2),
        )
        points = DealPoints(
            total,
            (cards[0], cards[1], cards[2]),
            (declared[0], declared[1], declared[2]),
            (belotes[0], belotes[1], belotes[2]),
            (won[0], won[1], won[2]),
        )
        if is_all_pass:
            score = settle_all_pass(rules, points)
        else:
            score = settle_deal(rules, contract, level, points, side_of(rules, declarer), capot, 0)
        for side in range(3):
            columns.tricks_won[row, side] = won[side]
            columns.card_points[row, side] = cards[side]
            columns.declaration_points[row, side] = declared[side]
            columns.belote_points[row, side] = belotes[side]
            columns.points[row, side] = total[side]
        columns.capot[row] = capot
        columns.score[row, 0] = score.score_0
        columns.score[row, 1] = score.score_1
        columns.score[row, 2] = score.score_2
        columns.hanging[row] = score.hanging
        columns.result[row] = score.result

    @njit
    def call_all(rules, dealer, row, columns, scratch):
        """Random calls until the auction is over."""
        first = columns.turn_up[row, 0]
        auction = start_auction(rules, dealer, np.int64(first), NO_CARD)
        remembers = not has_turn_up_bidding(rules) and not rules.forced_dealer
        count = 0
        place = columns.turn_up.shape[1]
        stock = scratch.trick[3]
        while not auction.is_over:
            legal = allowed_calls(rules, auction, scratch.legal_calls, remembers)
            if rules.turn_up == p.TURN_UP_TWO and auction.round == 2 and columns.turn_up[row, 1] == NO_CARD:
                turn_another(row, columns, scratch, np.int64(first) >> 3)
                second = np.int64(columns.turn_up[row, 1])
                if second == NO_CARD:
                    legal = 1 << PASS
                else:
                    auction = with_second(auction, second >> 3)
                    legal = legal_call_mask(rules, auction)
            call = bit_of(scratch.states, auction.turn_seat, legal)
            columns.calls[row, count] = call
            count += 1
            auction = after_call(rules, auction, call)
        columns.call_count[row] = count
        return auction

    @njit
    def with_second(a, suit):
        return auction_type(
            a.turn_seat, a.contract, a.declarer_seat, a.doubles, a.passes, a.is_over, a.dealer_seat, a.round,
            a.first_suit, suit, a.is_ashkal, a.is_closed, a.has_ace, a.phase, a.turns,
        )  # fmt: skip

    auction_type = auction.Auction

    @njit
    def turn_another(row, columns, scratch, first_suit):
        """Turn the first card of the stock that is of another suit; those before it go under the stock."""
        pack, start = scratch.pack, scratch.trick[3]
        size = pack.shape[1]
        for place in range(start, size):
            if pack[1, place] >> 3 != first_suit:
                columns.turn_up[row, 1] = pack[1, place]
                moved = place - start
                for i in range(moved):  # kept aside in the third row
                    pack[2, i] = pack[1, start + i]
                for i in range(place + 1, size):
                    pack[1, i - moved - 1] = pack[1, i]
                for i in range(moved):
                    pack[1, size - moved - 1 + i] = pack[2, i]
                return

    @njit
    def play_out(rules, contract, is_closed, ordered, leader, row, columns, scratch):
        """Random cards; returns the seat of the last trick."""
        players, hands, trick = rules.players, scratch.hands, scratch.trick
        tricks = columns.winners.shape[1]
        turn_up_card = np.int64(columns.turn_up[row, 0])
        counts = declarations_count(rules, contract)
        on_lead = rules.declare_when == p.ANNOUNCE_ON_LEAD
        first_leader = leader
        announced = 0
        at = 0
        belotes = 0
        has_belote = contract != NO_TRUMPS and rules.belote_points > 0
        for number in range(tricks):
            led, best, best_seat, worth = NO_SUIT, NO_CARD, leader, 0
            for position in range(players):
                seat = leader + position
                if seat >= players:
                    seat -= players
                if number == 0 and rules.seven_exchange and may_exchange(rules, ordered, hands[seat], turn_up_card):
                    if below(scratch.states, seat, 2) == 1:
                        hands[seat] = after_exchange(hands[seat], turn_up_card)
                        columns.hands[row, seat] = hands[seat]
                        columns.exchange[row] = seat
                hand = hands[seat]
                if position == 0:
                    if on_lead and counts and not announced >> seat & 1:
                        announced |= 1 << seat
                        announce(rules, contract, hand, seat, at, row, columns)
                    legal = lead_mask(contract, hand, is_closed)
                else:
                    partner_holds = rules.partners == 1 and (seat - best_seat) % 2 == 0
                    legal = legal_mask(rules, contract, hand, led, best, partner_holds, position)
                if legal & (legal - 1):
                    card = bit_of(scratch.states, seat, legal)
                else:
                    card = count_bits(legal - 1)
                suit, rank = card >> 3, card & 7
                if has_belote and (rank == QUEEN or rank == KING) and (contract == suit or contract == ALL_TRUMPS):
                    is_discard = contract == ALL_TRUMPS and position > 0 and led != suit
                    blocked = is_discard and rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF
                    if hand >> (card ^ QUEEN ^ KING) & 1 and not blocked:
                        columns.belote_seat[row, belotes] = seat
                        columns.belote_suit[row, belotes] = suit
                        columns.belote_at[row, belotes] = at
                        belotes += 1
                hands[seat] = hand & ~(1 << card)
                columns.plays[row, at] = card
                at += 1
                worth += scratch.worth[contract, card]
                if position == 0:
                    led, best = suit, card
                elif beats(contract, card, best):
                    best, best_seat = card, seat
            leader = best_seat
            columns.winners[row, number] = best_seat
            columns.trick_points[row, number] = worth
            side = side_of(rules, best_seat)
            scratch.tricks_won[side] += 1
            scratch.card_points[side] += worth
        columns.play_count[row] = at
        columns.belote_count[row] = belotes
        if counts and not on_lead:
            for position in range(players):
                seat = (first_leader + position) % players
                announce(rules, contract, np.int64(columns.hands[row, seat]), seat, position, row, columns)
        return leader

    @njit
    def random_deal(rules, dealer, row, columns, scratch):
        hands = scratch.hands
        for seat in range(rules.players):
            hands[seat] = 0
        place = deal_packets(rules, hands, scratch.pack, 0, scratch.first_packets, dealer, NO_SEAT)
        for seat in range(rules.players):
            columns.first_hands[row, seat] = hands[seat]
        columns.dealer[row] = dealer
        columns.turn_up[row, 0] = columns.turn_up[row, 1] = NO_CARD
        columns.exchange[row] = NO_SEAT
        if rules.turn_up != p.TURN_UP_NONE:
            columns.turn_up[row, 0] = scratch.pack[1, place]
            place += 1
        scratch.trick[3] = place
        auction = call_all(rules, dealer, row, columns, scratch)
        contract, level = auction.contract, level_of(rules, auction.doubles)
        if contract == NO_CONTRACT:
            contract = all_pass_contract(rules, auction)
        columns.contract[row], columns.declarer[row], columns.level[row] = contract, auction.declarer_seat, level
        if contract == NO_CONTRACT:
            columns.result[row], columns.capot[row] = PASSED_OUT, NO_SIDE
            return
        receiver = turn_up_receiver(rules, auction)
        start = place
        if columns.turn_up[row, 1] != NO_CARD:
            start = place  # the second turned-up card was taken out of the stock
        deal_packets(rules, hands, scratch.pack, start, scratch.second_packets, dealer, receiver)
        if receiver != NO_SEAT:
            hands[receiver] |= 1 << np.int64(columns.turn_up[row, 0])
        for seat in range(rules.players):
            columns.hands[row, seat] = hands[seat]
        for side in range(3):
            scratch.tricks_won[side] = scratch.card_points[side] = 0
        leader = seat_after(rules, dealer)
        last = play_out(rules, contract, auction.is_closed != 0, auction.contract, leader, row, columns, scratch)
        settle(rules, contract, level, auction.declarer_seat, leader, last, row, columns, scratch)

    @njit(nogil=True)
    def random_singles(rules, seed, first_deal, columns, scratch):
        dealing = named(named(named(np.uint64(0), DEALING), seed), SINGLE)
        policy = named(named(named(np.uint64(0), POLICY), seed), SINGLE)
        states = scratch.states
        for row in range(columns.dealer.size):
            number = first_deal + np.uint64(row)
            states[4] = named(named(dealing, number), np.uint64(1))
            own = named(named(policy, number), np.uint64(1))
            for seat in range(rules.players):
                states[seat] = named(own, np.uint64(seat))
            shuffle(states, scratch.pack)
            dealer = np.int64((number - np.uint64(1)) % np.uint64(rules.players))
            random_deal(rules, dealer, row, columns, scratch)

    return {"random": random_singles, "check": build_check(twins, settle, None)}
