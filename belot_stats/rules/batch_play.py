"""Random deals in the compiled loops: some side by side, so that one is worked on while the others wait.

What a card takes - the legal ones by a table, one of them, who holds the trick now - is a chain in which each step
waits for the one before; several such chains keep the processor busy. No jump in it is hard to foresee.

A compiled function takes the rules, ``w``, a deal that waits or is played, and ``s``, the workspace of the loop.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats import parameters as p
from belot_stats.cards import NO_CARD, NO_CONTRACT
from belot_stats.rules.batch_announce import announce_all, announce_belotes
from belot_stats.rules.batch_auction import (
    OVER,
    auction_of,
    calls_at,
    close_auction,
    forget_all,
    key_of,
    place_after,
    place_of,
    seat_at,
)
from belot_stats.rules.batch_dealing import (
    PACK_STREAM,
    bit_by,
    deal_cards,
    deal_rest,
    name_streams,
    named,
    next_word,
    share_of,
    shuffle,
)
from belot_stats.rules.batch_settle import settle
from belot_stats.rules.batch_standing import DOUBLES, not_doubled
from belot_stats.rules.compiling import U
from belot_stats.rules.deal_rows import AUCTIONS, CARDS, SIDE_BY_SIDE, TRICKS
from belot_stats.rules.twins import (
    declarations_count,
    lead_mask,
    seat_after,
    side_of,
    start_auction,
    turn_up_receiver,
)

PARTNER_HOLDS, THIRD_TO_PLAY = 1, 2  # in the table of duties


@njit(forceinline=True)
def legal_by(s, row, best, flags, hand):
    """As legal_mask, without a jump.  flags: PARTNER_HOLDS, THIRD_TO_PLAY."""
    duty = s.duties[U((row | best) << 2 | flags)]
    # Read before they are chosen from: a word that is read in one case only would be a jump.
    first, second, third = np.int64(duty[1]), np.int64(duty[3]), np.int64(duty[5])
    legal = third if hand & np.int64(duty[4]) != 0 else -1
    legal = second if hand & np.int64(duty[2]) != 0 else legal
    legal = first if hand & np.int64(duty[0]) != 0 else legal
    return hand & legal


@njit(forceinline=True)
def third_to_play(position):
    return THIRD_TO_PLAY if position == 2 else 0


@njit
def start_single(rules, dealing, deciding, number, s):
    """The streams of single deal *number*, and its pack; returns the dealer.

    dealing, deciding: what the names of its streams begin with.
    """
    s.states[PACK_STREAM] = named(named(dealing, number), np.uint64(1))
    name_streams(named(named(deciding, number), np.uint64(1)), rules.players, s)
    shuffle(s)
    return np.int64((number - np.uint64(1)) % np.uint64(rules.players))


@njit
def are_plain(rules):
    """Whether deals of *rules* may be made here: all cards turned up are so before the auction, and nobody does
    anything but call and play."""
    on_lead = rules.declare_when == p.ANNOUNCE_ON_LEAD and rules.declarations != p.DECLARE_NONE
    return rules.turn_up != p.TURN_UP_TWO and rules.seven_exchange == 0 and not on_lead


@njit(forceinline=True)
def put_aside(rules, dealer, w, s):
    """A deal that was dealt in the workspace waits for its calls."""
    w.dealer, w.stock = dealer, s.stock
    for place in range(CARDS):
        w.pack[U(place)] = s.pack[U(place)]
    for seat in range(rules.players):
        w.hands[U(seat)] = s.hands[U(seat)]
        w.states[U(seat)] = s.states[U(seat)]
        w.rests[U(seat)] = s.rests[U(seat)]


@njit
def start_calls(rules, rows, s):
    for lane in range(rows.size):
        w, first = s.waiting[U(lane)], np.int64(rows[lane].turn_up[0])
        w.key = key_of(rules, start_auction(rules, w.dealer, first, NO_CARD))
        w.place = place_of(w.key, s)
        rows[lane].call_count = 0


@njit(forceinline=True)
def is_crowded(s):
    """Whether the next calls of all deals might fill the table of auctions."""
    return s.auction_count + SIDE_BY_SIDE >= AUCTIONS


@njit
def call_together(rules, rows, s):
    """All calls of the deals that wait. A place in the table of auctions that one of them has must stand until all
    have called, so room for more is made here, before it is needed."""
    if is_crowded(s):
        forget_all(s)
    start_calls(rules, rows, s)
    is_open = True
    while is_open:
        if is_crowded(s):
            forget_all(s)
            for lane in range(rows.size):
                s.waiting[U(lane)].place = place_of(s.waiting[U(lane)].key, s)
        is_open = False
        for lane in range(rows.size):
            w, d = s.waiting[U(lane)], rows[lane]
            if w.key >> OVER & 1 == 0:
                is_open = True
                call_once(rules, d, w, s)


@njit(forceinline=True)
def call_once(rules, d, w, s):
    seat = seat_at(rules.players, w.key & 3, w.dealer)
    word = next_word(w, seat)
    legal = calls_at(rules, w.place, s)
    if not_doubled(rules, w.key, seat, w.dealer, s):
        legal &= ~DOUBLES
    call = bit_by(w, seat, legal, word)
    count = np.int64(d.call_count)
    d.calls[U(count)] = call
    d.call_count = count + 1
    w.place = place_after(rules, w.place, call, s)
    w.key = s.auctions[U(w.place)].key


@njit(forceinline=True)
def take_up(rules, d, w, other, s):
    """A deal that was called waits to be played, in *other*; returns whether it is."""
    auction = auction_of(rules, w.key, w.dealer)
    contract = close_auction(rules, auction, d)
    if contract == NO_CONTRACT:
        return False
    s.stock = w.stock
    for place in range(CARDS):
        s.pack[U(place)] = w.pack[U(place)]
    for seat in range(rules.players):
        s.hands[U(seat)] = w.hands[U(seat)]
        other.rests[U(seat)] = w.rests[U(seat)]
    leader = seat_after(rules, w.dealer)
    deal_rest(rules, turn_up_receiver(rules, auction), d, s)
    for seat in range(rules.players):
        other.hands[U(seat)] = s.hands[U(seat)]
    for side in range(3):
        other.tricks_won[U(side)] = other.card_points[U(side)] = 0
    other.contract, other.leader, other.holder, other.is_closed = contract, leader, leader, auction.is_closed
    return True


@njit(forceinline=True)
def put_down(card, hand, seat, at, w, s):
    """A card is played; returns its value."""
    w.hands[U(seat)] = hand & ~(1 << card)
    w.plays[U(at)] = card
    w.place_of[U(card)] = at
    return np.int64(s.values[U(w.trick | card)])


@njit(forceinline=True)
def lead(at, w, s):
    seat = w.holder
    hand = w.hands[U(seat)]
    card = share_of(w, seat, lead_mask(w.contract, hand, w.is_closed != 0))
    w.trick = w.contract << 7 | card >> 3 << 5
    value = put_down(card, hand, seat, at, w, s)
    w.seat, w.best, w.power, w.worth = seat, card, value & 0xFF, value >> 8


@njit(forceinline=True)
def follow(last_seat, partners, at, flags, w, s):
    seat = 0 if w.seat == last_seat else w.seat + 1
    hand, holder, best, best_power = w.hands[U(seat)], w.holder, w.best, w.power
    legal = legal_by(s, w.trick, best, flags | (seat ^ holder ^ 1) & partners, hand)
    card = share_of(w, seat, legal)
    value = put_down(card, hand, seat, at, w, s)
    power = value & 0xFF
    takes = best_power - power >> 63  # all bits set or none: no jump
    w.best, w.holder = best ^ (best ^ card) & takes, holder ^ (holder ^ seat) & takes
    w.seat, w.power, w.worth = seat, best_power ^ (best_power ^ power) & takes, w.worth + (value >> 8)


@njit(forceinline=True)
def end_trick(rules, number, w):
    w.winners[U(number)] = w.holder
    w.trick_points[U(number)] = w.worth
    side = side_of(rules, w.holder)
    w.tricks_won[U(side)] += 1
    w.card_points[U(side)] += w.worth


@njit
def play_together(rules, count, s):
    """All cards of the deals that wait."""
    last_seat, partners = rules.players - 1, rules.partners & PARTNER_HOLDS
    # Other rules owe the same in both cases, and half of the table stays in the processor's cache.
    third = THIRD_TO_PLAY if rules.must_ruff == p.RUFF_UNLESS_PARTNER_LED_ACE else 0
    at = 0
    for number in range(s.tricks):
        for lane in range(count):
            lead(at, s.waiting[U(lane)], s)
        at += 1
        flags = 0
        for _ in range(last_seat):
            for lane in range(count):
                follow(last_seat, partners, at, flags, s.waiting[U(lane)], s)
            at += 1
            flags ^= third
        for lane in range(count):
            end_trick(rules, number, s.waiting[U(lane)])


@njit
def finish(rules, d, w, s):
    """Announcements and settlement of a deal whose cards are played, in its row *d*."""
    for at in range(CARDS):
        d.plays[U(at)] = w.plays[U(at)]
    for number in range(TRICKS):
        d.winners[U(number)], d.trick_points[U(number)] = w.winners[U(number)], w.trick_points[U(number)]
    d.play_count = s.cards
    if declarations_count(rules, w.contract):
        announce_all(rules, w.contract, w.leader, d)
    announce_belotes(rules, w.contract, w.place_of, d)
    for side in range(3):
        s.tricks_won[U(side)], s.card_points[U(side)] = w.tricks_won[U(side)], w.card_points[U(side)]
    settle(rules, w.contract, np.int64(d.level), np.int64(d.declarer), w.leader, w.holder, d, s)


@njit
def make_together(rules, dealing, deciding, first_deal, rows, s):
    """A few single deals, *first_deal* and following.  dealing, deciding: as in start_single."""
    for lane in range(rows.size):
        dealer = start_single(rules, dealing, deciding, first_deal + np.uint64(lane), s)
        deal_cards(rules, dealer, rows[lane], s)
        put_aside(rules, dealer, s.waiting[U(lane)], s)
    call_together(rules, rows, s)
    count = 0
    for lane in range(rows.size):
        if take_up(rules, rows[lane], s.waiting[U(lane)], s.waiting[U(count)], s):
            s.waiting[U(count)].row = lane
            count += 1
    play_together(rules, count, s)
    for lane in range(count):
        w = s.waiting[U(lane)]
        finish(rules, rows[w.row], w, s)
