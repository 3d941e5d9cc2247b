"""The compiled loops that make deals: dealing, calls and cards.

They call the compiled twins of the rule functions. A compiled function takes the rules, ``d``, the row of the deal,
and ``s``, the workspace of the loop.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats import parameters as p
from belot_stats.cards import (
    ALL_TRUMPS,
    DOUBLE,
    DOUBLE_CLOSED,
    KING,
    NO_CARD,
    NO_CONTRACT,
    NO_SEAT,
    NO_SUIT,
    NO_TRUMPS,
    PASS,
    QUEEN,
)
from belot_stats.rules.auction import Auction
from belot_stats.rules.batch_settle import settle
from belot_stats.rules.compiling import compiled_loop
from belot_stats.rules.table import NO_SIDE
from belot_stats.rules.twins import (
    after_call,
    after_exchange,
    all_pass_contract,
    beats,
    best_combinations,
    declarations_count,
    exchange_seven,
    has_turn_up_bidding,
    lead_mask,
    legal_call_mask,
    legal_mask,
    level_of,
    look_at,
    may_exchange,
    pack_mask,
    pick_call,
    pick_card,
    seat_after,
    side_of,
    sit_down,
    start_auction,
    turn_up_receiver,
    with_bid,
)

PASSED_OUT = 4  # a result beside FAILED, MADE, HANGING, ALL_PASS
PACK_STREAM = 4
PACKETS = 5
RANDOM, SENSIBLE = 0, 1


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
def below(s, slot, bound):
    while True:
        state = s.states[slot] + GAMMA
        s.states[slot] = state
        product = (mix(state) >> U32) * np.uint64(bound)
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
def bit_of(s, slot, mask):
    for _ in range(below(s, slot, count_bits(mask))):
        mask &= mask - 1
    return count_bits((mask & -mask) - 1)


@njit
def shuffle(s):
    for place in range(s.pack_size):
        s.pack[place] = s.new_pack[place]
    for last in range(s.pack_size - 1, 0, -1):
        other = below(s, PACK_STREAM, last + 1)
        held = s.pack[last]
        s.pack[last] = s.pack[other]
        s.pack[other] = held


@njit
def deal_packet(rules, s, place, size, dealer, short_seat):
    """*size* cards to each seat, from *place* of the pack; one less to the seat that gets the turned-up card."""
    for turn in range(rules.players):
        seat = (dealer + 1 + turn) % rules.players
        mask = s.hands[seat]
        for _ in range(size - 1 if seat == short_seat else size):
            mask |= 1 << s.pack[place]
            place += 1
        s.hands[seat] = mask
    return place


@njit
def deal_first(rules, s, dealer):
    place = 0
    for number in range(PACKETS):
        if s.first_packets[number] > 0:
            place = deal_packet(rules, s, place, s.first_packets[number], dealer, NO_SEAT)
    return place


@njit
def deal_second(rules, s, dealer, short_seat):
    place = s.stock
    for number in range(PACKETS):
        if s.second_packets[number] > 0:
            is_last = number == PACKETS - 1 or s.second_packets[number + 1] == 0
            place = deal_packet(
                rules, s, place, s.second_packets[number], dealer, short_seat if is_last else NO_SEAT
            )


@njit
def has_combination(rules, hand):
    """Whether a hand may hold a run of three or four of a kind: seldom, and cheaply seen."""
    runs = hand & hand >> 1 & hand >> 2 & 0x3F3F3F3F
    fours = hand & hand >> 8 & hand >> 16 & hand >> 24 & 0xFF
    return runs != 0 or fours != 0


@njit
def allowed_calls(rules, auction, s, remembers):
    if not remembers:
        return legal_call_mask(rules, auction)
    distance = (auction.turn_seat - auction.declarer_seat) % rules.players
    known = s.legal_calls[auction.contract + 1, auction.doubles, distance]
    if known < 0:
        known = legal_call_mask(rules, auction)
        s.legal_calls[auction.contract + 1, auction.doubles, distance] = known
    return known


@njit
def announce(rules, contract, hand, seat, at, d):
    count = np.int64(d.declared_count)
    if has_combination(rules, hand):
        for mask in best_combinations(rules, contract, hand):
            d.declared_seat[count] = seat
            d.declared_mask[count] = mask
            d.declared_at[count] = at
            d.declared_place[count] = count
            count += 1
    d.declared_count = count


@njit
def call_all(rules, policy, dealer, d, s):
    """Calls until the auction is over; returns it, and who bid what, four bits a contract."""
    first = d.turn_up[0]
    auction = start_auction(rules, dealer, np.int64(first), NO_CARD)
    remembers = not has_turn_up_bidding(rules) and not rules.forced_dealer
    count = bidders = 0
    while not auction.is_over:
        legal = allowed_calls(rules, auction, s, remembers)
        if rules.turn_up == p.TURN_UP_TWO and auction.round == 2 and d.turn_up[1] == NO_CARD:
            turn_another(d, s, np.int64(first) >> 3)
            second = np.int64(d.turn_up[1])
            if second == NO_CARD:
                legal = 1 << PASS
            else:
                auction = with_second(auction, second >> 3)
                legal = legal_call_mask(rules, auction)
        if auction.contract == NO_TRUMPS and rules.no_trumps_double_limit > 0:
            legal &= ~(1 << DOUBLE | 1 << DOUBLE_CLOSED)  # a single deal has no totals that would allow it
        seat = auction.turn_seat
        if policy == RANDOM:
            call = bit_of(s, seat, legal)
        else:
            call = pick_call(rules, auction, legal, s.hands[seat], np.int64(first), bidders)
        bidders = with_bid(bidders, call, seat)
        d.calls[count] = call
        count += 1
        auction = after_call(rules, auction, call)
    d.call_count = count
    return auction, bidders


@njit
def with_second(a, suit):
    return Auction(
        a.turn_seat, a.contract, a.declarer_seat, a.doubles, a.passes, a.is_over, a.dealer_seat, a.round,
        a.first_suit, suit, a.is_ashkal, a.is_closed, a.has_ace, a.phase, a.turns,
    )  # fmt: skip


@njit
def turn_another(d, s, first_suit):
    """Turn the first card of the stock that is of another suit; those before it go under the stock."""
    for place in range(s.stock, s.pack_size):
        if s.pack[place] >> 3 != first_suit:
            d.turn_up[1] = s.pack[place]
            moved = place - s.stock
            for i in range(moved):
                s.aside[i] = s.pack[s.stock + i]
            for i in range(place + 1, s.pack_size):
                s.pack[i - moved - 1] = s.pack[i]
            for i in range(moved):
                s.pack[s.pack_size - moved - 1 + i] = s.aside[i]
            return


@njit
def hidden_cards(rules, receiver, d):
    """Cards that do not lie open out of play."""
    hidden = pack_mask(rules)
    if receiver == NO_SEAT:
        for number in range(2):
            if d.turn_up[number] != NO_CARD:
                hidden &= ~(1 << np.int64(d.turn_up[number]))
    return hidden


@njit
def play_out(rules, policy, contract, auction, bidders, receiver, leader, d, s):
    """Cards until all are played; returns the seat of the last trick."""
    players, hands = rules.players, s.hands
    turn_up_card = np.int64(d.turn_up[0])
    counts = declarations_count(rules, contract)
    on_lead = rules.declare_when == p.ANNOUNCE_ON_LEAD
    is_closed = auction.is_closed != 0
    first_leader = leader
    announced = at = belotes = voids = 0
    hidden = hidden_cards(rules, receiver, d)  # and not played
    sit_down(s.situation, rules, contract, auction.declarer_seat, bidders)
    has_belote = contract != NO_TRUMPS and rules.belote_points > 0
    for number in range(s.tricks):
        led, best, best_seat, worth = NO_SUIT, NO_CARD, leader, 0
        for position in range(players):
            seat = leader + position
            if seat >= players:
                seat -= players
            if (
                number == 0
                and rules.seven_exchange
                and may_exchange(rules, auction.contract, hands[seat], turn_up_card)
            ):
                if policy != RANDOM or below(s, seat, 2) == 1:
                    hidden = hidden & ~(1 << exchange_seven(turn_up_card)) | 1 << turn_up_card
                    hands[seat] = after_exchange(hands[seat], turn_up_card)
                    d.hands[seat] = hands[seat]
                    d.exchange = seat
            hand = hands[seat]
            if position == 0:
                if on_lead and counts and not announced >> seat & 1:
                    announced |= 1 << seat
                    announce(rules, contract, hand, seat, at, d)
                legal = lead_mask(contract, hand, is_closed)
            else:
                partner_holds = rules.partners == 1 and (seat - best_seat) % 2 == 0
                legal = legal_mask(rules, contract, hand, led, best, partner_holds, position)
            if legal & (legal - 1) == 0:
                card = count_bits(legal - 1)
            elif policy == RANDOM:
                card = bit_of(s, seat, legal)
            else:
                look_at(s.situation, seat, hand, hidden & ~hand, voids, led, best, best_seat, position, worth)
                card = pick_card(s.situation, legal)
            suit, rank = card >> 3, card & 7
            if (
                has_belote
                and (rank == QUEEN or rank == KING)
                and (contract == suit or contract == ALL_TRUMPS)
            ):
                is_discard = contract == ALL_TRUMPS and position > 0 and led != suit
                blocked = is_discard and rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF
                if hand >> (card ^ QUEEN ^ KING) & 1 and not blocked:
                    d.belote_seat[belotes] = seat
                    d.belote_suit[belotes] = suit
                    d.belote_at[belotes] = at
                    belotes += 1
            if position > 0 and suit != led:
                voids |= 1 << 4 * led + seat
            hands[seat] = hand & ~(1 << card)
            hidden &= ~(1 << card)
            d.plays[at] = card
            at += 1
            worth += s.worth[contract, card]
            if position == 0:
                led, best = suit, card
            elif beats(contract, card, best):
                best, best_seat = card, seat
        leader = best_seat
        d.winners[number] = best_seat
        d.trick_points[number] = worth
        side = side_of(rules, best_seat)
        s.tricks_won[side] += 1
        s.card_points[side] += worth
    d.play_count = at
    d.belote_count = belotes
    if counts and not on_lead:
        for position in range(players):
            seat = (first_leader + position) % players
            announce(rules, contract, np.int64(d.hands[seat]), seat, position, d)
    return leader


@njit
def make_deal(rules, policy, dealer, d, s):
    for seat in range(rules.players):
        s.hands[seat] = 0
    s.stock = deal_first(rules, s, dealer)
    for seat in range(rules.players):
        d.first_hands[seat] = s.hands[seat]
    d.dealer, d.exchange = dealer, NO_SEAT
    d.turn_up[0] = d.turn_up[1] = NO_CARD
    d.play_count = d.declared_count = d.belote_count = 0
    if rules.turn_up != p.TURN_UP_NONE:
        d.turn_up[0] = s.pack[s.stock]
        s.stock += 1
    auction, bidders = call_all(rules, policy, dealer, d, s)
    contract, level = auction.contract, level_of(rules, auction.doubles)
    if contract == NO_CONTRACT:
        contract = all_pass_contract(rules, auction)
    d.contract, d.declarer, d.level = contract, auction.declarer_seat, level
    if contract == NO_CONTRACT:
        d.result, d.capot, d.hanging = PASSED_OUT, NO_SIDE, 0
        for side in range(3):
            d.score[side] = d.points[side] = 0
        return
    receiver = turn_up_receiver(rules, auction)
    deal_second(rules, s, dealer, receiver)
    if receiver != NO_SEAT:
        s.hands[receiver] |= 1 << np.int64(d.turn_up[0])
    for seat in range(rules.players):
        d.hands[seat] = s.hands[seat]
    for side in range(3):
        s.tricks_won[side] = s.card_points[side] = 0
    leader = seat_after(rules, dealer)
    last = play_out(rules, policy, contract, auction, bidders, receiver, leader, d, s)
    settle(rules, contract, level, auction.declarer_seat, leader, last, d, s)


@compiled_loop
def make_singles(rules, policy, seed, first_deal, rows, s):
    dealing = named(named(named(np.uint64(0), DEALING), seed), SINGLE)
    deciding = named(named(named(np.uint64(0), POLICY), seed), SINGLE)
    for row in range(rows.size):
        number = first_deal + np.uint64(row)
        s.states[PACK_STREAM] = named(named(dealing, number), np.uint64(1))
        own = named(named(deciding, number), np.uint64(1))
        for seat in range(rules.players):
            s.states[seat] = named(own, np.uint64(seat))
        shuffle(s)
        dealer = np.int64((number - np.uint64(1)) % np.uint64(rules.players))
        make_deal(rules, policy, dealer, rows[row], s)
