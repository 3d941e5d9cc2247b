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
    KING,
    NO_CARD,
    NO_CONTRACT,
    NO_SEAT,
    NO_SUIT,
    PASS,
    QUEEN,
)
from belot_stats.rules.auction import Auction
from belot_stats.rules.batch_announce import announce, announce_all, belote_cards, trump_queens_of
from belot_stats.rules.batch_auction import (
    OVER,
    auction_of,
    calls_at,
    close_auction,
    key_of,
    place_after,
    place_of,
    seat_at,
)
from belot_stats.rules.batch_dealing import (
    DEALING,
    POLICY,
    SINGLE,
    below,
    bit_by,
    deal_cards,
    deal_rest,
    named,
    next_word,
    share_of,
)
from belot_stats.rules.batch_play import (
    PARTNER_HOLDS,
    are_plain,
    legal_by,
    make_together,
    start_single,
    third_to_play,
)
from belot_stats.rules.batch_settle import settle
from belot_stats.rules.batch_standing import DOUBLES, not_doubled, reaches_target, settle_out
from belot_stats.rules.compiling import U, compiled_loop, trailing_zeros
from belot_stats.rules.deal_rows import SIDE_BY_SIDE
from belot_stats.rules.twins import (
    after_exchange,
    declarations_count,
    exchange_seven,
    lead_mask,
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

RANDOM, SENSIBLE = 0, 0b1111  # policies are a bit a seat: set for the sensible ones


@njit(forceinline=True)
def is_sensible(policy, seat):
    """Whether *seat* plays by the sensible policy; no policy is the random one of all seats."""
    return policy is not None and policy >> seat & 1 != 0


@njit
def call_all(rules, policy, dealer, d, s):
    """Calls until the auction is over; returns it, and who bid what, four bits a contract."""
    first = np.int64(d.turn_up[0])
    place = place_of(key_of(rules, start_auction(rules, dealer, first, NO_CARD)), s)
    key = s.auctions[U(place)].key
    turns_another = rules.turn_up == p.TURN_UP_TWO
    count = bidders = 0
    while key >> OVER & 1 == 0:
        seat = seat_at(rules.players, key & 3, dealer)
        word = next_word(s, seat)
        legal = calls_at(rules, place, s)
        if turns_another and d.turn_up[1] == NO_CARD and auction_of(rules, key, dealer).round == 2:
            turn_another(d, s, first >> 3)
            second = np.int64(d.turn_up[1])
            legal = 1 << PASS
            if second != NO_CARD:
                place = place_of(key_of(rules, with_second(auction_of(rules, key, dealer), second >> 3)), s)
                key = s.auctions[U(place)].key
                legal = calls_at(rules, place, s)
        if not_doubled(rules, key, seat, dealer, s):
            legal &= ~DOUBLES
        if is_sensible(policy, seat):
            call = pick_call(rules, auction_of(rules, key, dealer), legal, s.hands[U(seat)], first, bidders)
        else:
            call = bit_by(s, seat, legal, word)
        if policy is not None:
            bidders = with_bid(bidders, call, seat)
        d.calls[U(count)] = call
        count += 1
        place = place_after(rules, place, call, s)
        key = s.auctions[U(place)].key
    d.call_count = count
    return auction_of(rules, key, dealer), bidders


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
        if s.pack[U(place)] >> 3 != first_suit:
            d.turn_up[1] = s.pack[U(place)]
            moved = place - s.stock
            for i in range(moved):
                s.aside[U(i)] = s.pack[U(s.stock + i)]
            for i in range(place + 1, s.pack_size):
                s.pack[U(i - moved - 1)] = s.pack[U(i)]
            for i in range(moved):
                s.pack[U(s.pack_size - moved - 1 + i)] = s.aside[U(i)]
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
    on_lead = counts and rules.declare_when == p.ANNOUNCE_ON_LEAD
    partners = rules.partners & PARTNER_HOLDS
    is_closed, exchanges = auction.is_closed != 0, rules.seven_exchange != 0
    may_end = rules.declare_out != 0 and s.is_match != 0 and auction.contract != NO_CONTRACT
    first_leader = leader
    announced = at = belotes = voids = 0
    hidden = hidden_cards(rules, receiver, d)  # and not played
    if policy is not None:
        sit_down(s.situation, rules, contract, auction.declarer_seat, bidders)
    trump_queens, paired = trump_queens_of(rules, contract), 0
    for seat in range(players):
        paired |= belote_cards(hands[U(seat)], trump_queens)
    for number in range(s.tricks):
        led, best, best_seat, best_power, worth, row = NO_SUIT, NO_CARD, leader, -1, 0, 0
        seat = leader
        for position in range(players):
            if exchanges and may_exchange(rules, auction.contract, hands[U(seat)], turn_up_card):
                if is_sensible(policy, seat) or below(s, seat, 2) == 1:
                    hidden = hidden & ~(1 << exchange_seven(turn_up_card)) | 1 << turn_up_card
                    hands[U(seat)] = after_exchange(hands[U(seat)], turn_up_card)
                    paired |= belote_cards(hands[U(seat)], trump_queens)
                    d.hands[U(seat)] = hands[U(seat)]
                    d.exchange = seat
            hand = hands[U(seat)]
            if position == 0:
                if on_lead and not announced >> seat & 1:
                    announced |= 1 << seat
                    announce(rules, contract, hand, seat, at, d)
                legal = lead_mask(contract, hand, is_closed)
            else:
                legal = legal_by(
                    s, row, best, third_to_play(position) | (seat ^ best_seat ^ 1) & partners, hand
                )
            if policy is None or not policy >> seat & 1:
                card = share_of(s, seat, legal)
            elif legal & (legal - 1) == 0:
                card = trailing_zeros(legal)
            else:
                look_at(s.situation, seat, hand, hidden & ~hand, voids, led, best, best_seat, position, worth)
                card = pick_card(s.situation, legal)
            suit = card >> 3
            if paired >> card & 1:
                is_discard = contract == ALL_TRUMPS and position > 0 and led != suit
                blocked = is_discard and rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF
                if hand >> (card ^ QUEEN ^ KING) & 1 and not blocked:
                    d.belote_seat[U(belotes)] = seat
                    d.belote_suit[U(belotes)] = suit
                    d.belote_at[U(belotes)] = at
                    belotes += 1
            if position == 0:
                led = suit
                row = contract << 7 | suit << 5
            elif policy is not None and suit != led:
                voids |= 1 << 4 * led + seat
            hands[U(seat)] = hand & ~(1 << card)
            if policy is not None:
                hidden &= ~(1 << card)
            d.plays[U(at)] = card
            at += 1
            value = np.int64(s.values[U(row | card)])
            worth += value >> 8
            if value & 0xFF > best_power:
                best, best_seat, best_power = card, seat, value & 0xFF
            seat = seat_after(rules, seat)
        exchanges = False
        leader = best_seat
        d.winners[U(number)] = best_seat
        d.trick_points[U(number)] = worth
        side = side_of(rules, best_seat)
        s.tricks_won[U(side)] += 1
        s.card_points[U(side)] += worth
        d.play_count, d.belote_count = at, belotes
        if number == 0 and counts and not on_lead:
            announce_all(rules, contract, first_leader, d)
        if may_end and number < s.tricks - 1 and reaches_target(rules, contract, leader, first_leader, d, s):
            break
    return leader


@njit
def make_deal(rules, policy, dealer, d, s):
    deal_cards(rules, dealer, d, s)
    auction, bidders = call_all(rules, policy, dealer, d, s)
    contract = close_auction(rules, auction, d)
    if contract == NO_CONTRACT:
        return
    receiver = turn_up_receiver(rules, auction)
    deal_rest(rules, receiver, d, s)
    for side in range(3):
        s.tricks_won[U(side)] = s.card_points[U(side)] = 0
    leader = seat_after(rules, dealer)
    last = play_out(rules, policy, contract, auction, bidders, receiver, leader, d, s)
    if d.play_count < s.cards:
        settle_out(rules, contract, d, s)
    else:
        settle(rules, contract, np.int64(d.level), auction.declarer_seat, leader, last, d, s)


@compiled_loop
def make_singles(rules, policy, seed, first_deal, rows, s):
    dealing = named(named(named(np.uint64(0), DEALING), seed), SINGLE)
    deciding = named(named(named(np.uint64(0), POLICY), seed), SINGLE)
    if policy is None and are_plain(rules):
        for start in range(0, rows.size, SIDE_BY_SIDE):
            make_together(
                rules, dealing, deciding, first_deal + np.uint64(start), rows[start : start + SIDE_BY_SIDE], s
            )
        return
    for row in range(rows.size):
        dealer = start_single(rules, dealing, deciding, first_deal + np.uint64(row), s)
        make_deal(rules, policy, dealer, rows[row], s)
