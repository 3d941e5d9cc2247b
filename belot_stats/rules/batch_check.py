"""The deal pass in compiled form: one loop over records in columns.

A row is either clean - everything that the checker looks at agrees - and then all results of the deal are filled in;
or it is left to the checker, which takes it apart and words what is wrong. So this loop never decides what a fault is:
where it is not sure that there is none, the row is DOUBTFUL.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from belot_stats import parameters as p
from belot_stats.cards import ALL_TRUMPS, KING, NO_CARD, NO_CONTRACT, NO_SEAT, NO_SUIT, NO_TRUMPS, QUEEN
from belot_stats.record_columns import AT_NOT_SAID, END_PLAYED, NOT_SAID, NUMBER_NOT_SAID
from belot_stats.rules.batch_auction import auction_of, calls_at, key_of, place_after, place_of
from belot_stats.rules.batch_play import PARTNER_HOLDS, legal_by, third_to_play
from belot_stats.rules.batch_settle import settle, settled_points
from belot_stats.rules.compiling import compiled_loop
from belot_stats.rules.deal_rows import PASSED_OUT
from belot_stats.rules.scoring import FAILED, MADE
from belot_stats.rules.table import NO_SIDE
from belot_stats.rules.twins import (
    all_pass_contract,
    beats,
    combination_points,
    deal_winner,
    declarations_count,
    exchange_seven,
    lead_mask,
    level_of,
    may_stand_together,
    seat_after,
    side_count_of,
    side_of,
    start_auction,
    turn_up_receiver,
)

CLEAN, DOUBTFUL = 0, 1


@njit
def read_auction(rules, r, s):
    """The auction after the calls of the record, and whether every one was legal and it is over."""
    dealer = np_int(r.dealer)
    place = place_of(
        key_of(rules, start_auction(rules, dealer, np_int(r.turn_up[0]), np_int(r.turn_up[1]))), s
    )
    is_legal = True
    for number in range(r.call_count):
        call = np_int(r.calls[number])
        if not calls_at(rules, place, s) >> call & 1:  # none is legal when it is over
            is_legal = False
            break
        place = place_after(rules, place, call, s)
    auction = auction_of(rules, s.auctions[place].key, dealer)
    return auction, is_legal and auction.is_over != 0


@njit
def np_int(value):
    return np.int64(value)


@njit
def find_winners(rules, contract, leader, r, d, s):
    """Winners and points of the tricks."""
    players, at = rules.players, 0
    for number in range(s.tricks):
        best_seat, best_power, worth, row = leader, -1, 0, 0
        for position in range(players):
            seat = leader + position
            if seat >= players:
                seat -= players
            card = np_int(r.plays[at])
            s.seat_at[at] = seat
            s.place_of[card] = at
            at += 1
            if position == 0:
                row = contract << 7 | card >> 3 << 5
            value = np_int(s.values[row | card])
            worth += value >> 8
            if value & 0xFF > best_power:
                best_seat, best_power = seat, value & 0xFF
        d.winners[number] = best_seat
        d.trick_points[number] = worth
        leader = best_seat
        side = side_of(rules, leader)
        s.tricks_won[side] += 1
        s.card_points[side] += worth
    return leader


@njit
def take_hands(rules, r, d, s):
    """Hands as written, or from the cards played."""
    hands = s.hands
    if r.has_hands:
        for seat in range(rules.players):
            hands[seat] = np_int(r.hands[seat])
    else:
        for seat in range(rules.players):
            hands[seat] = 0
        for at in range(r.play_count):
            hands[s.seat_at[at]] |= 1 << np_int(r.plays[at])
    for seat in range(rules.players):
        d.hands[seat] = hands[seat]


@njit
def hands_agree(rules, auction, is_all_pass, r, s):
    """First hands, turned-up cards, exchange and hands can be true together."""
    exchanger = np_int(r.exchange)
    first, second = np_int(r.turn_up[0]), np_int(r.turn_up[1])
    receiver = NO_SEAT
    if rules.turn_up_to != p.TO_NOBODY:
        if rules.turn_up == p.TURN_UP_TWO:
            return False
        receiver = turn_up_receiver(rules, auction)
    gone = 0
    if exchanger != NOT_SAID:
        if first == NO_CARD or not rules.seven_exchange or receiver != NO_SEAT or is_all_pass:
            return False
        seven = exchange_seven(first)
        if auction.contract != first >> 3 or seven == first:
            return False
        gone = 1 << seven
        receiver = exchanger
    table = 0
    if first != NO_CARD and receiver == NO_SEAT:
        table |= 1 << first
    if second != NO_CARD:
        table |= 1 << second
    for seat in range(rules.players):
        held = 0
        if r.has_first_hands:
            held = np_int(r.first_hands[seat])
            if gone and held & gone:
                if seat != exchanger:
                    return False
                held &= ~gone
        if first != NO_CARD and seat == receiver:
            held |= 1 << first
        if held & ~s.hands[seat] or s.hands[seat] & (table | gone):
            return False
    return True


@njit
def cards_are_legal(rules, contract, is_closed, r, s):
    players, hands = rules.players, s.hands
    led, best, best_seat = NO_SUIT, NO_CARD, NO_SEAT
    position = 0
    for at in range(r.play_count):
        seat, card = s.seat_at[at], np_int(r.plays[at])
        if position == 0:
            legal = lead_mask(contract, hands[seat], is_closed)
        else:
            flags = third_to_play(position) | (seat ^ best_seat ^ 1) & rules.partners & PARTNER_HOLDS
            legal = legal_by(s, contract << 7 | led << 5, best, flags, hands[seat])
        if not legal >> card & 1:
            return False
        hands[seat] &= ~(1 << card)
        if position == 0:
            led = card >> 3
        if position == 0 or beats(contract, card, best):
            best, best_seat = card, seat
        position += 1
        if position == players:
            position = 0
    return True


@njit
def gone_before(at, r):
    mask = 0
    for place in range(at):
        mask |= 1 << np_int(r.plays[place])
    return mask


@njit
def is_in_time(rules, seat, at, mask, leader, r, d):
    players = rules.players
    if rules.declare_when == p.ANNOUNCE_ON_LEAD:
        trick = at // players
        if at % players or at >= r.play_count:
            return False
        on_lead = leader if trick == 0 else np_int(d.winners[trick - 1])
        return on_lead == seat and gone_before(at, r) & mask == 0
    if rules.declare_when == p.ANNOUNCE_FIRST_CARD:
        return at <= (seat - leader) % players
    tricks = 2 if rules.declare_when == p.ANNOUNCE_SECOND_TRICK else 1
    return at < tricks * players


@njit
def take_declarations(rules, contract, leader, r, d):
    """Declarations in the order announced; False where one of them may have a fault."""
    count = np_int(r.declared_count)
    d.declared_count = count
    if count == 0:
        return True
    if not declarations_count(rules, contract):
        return False
    for i in range(count):
        seat, mask = np_int(r.declared_seat[i]), np_int(r.declared_mask[i])
        at = np_int(r.declared_at[i])
        if at == AT_NOT_SAID:
            if rules.declare_when == p.ANNOUNCE_ON_LEAD:
                return False
            at = (seat - leader) % rules.players
        is_held = mask & ~np_int(d.hands[seat]) == 0
        if not is_held or combination_points(rules, contract, mask) < 0:
            return False
        if not is_in_time(rules, seat, at, mask, leader, r, d):
            return False
        place = i
        while place > 0 and d.declared_at[place - 1] > at:
            d.declared_seat[place] = d.declared_seat[place - 1]
            d.declared_mask[place] = d.declared_mask[place - 1]
            d.declared_at[place] = d.declared_at[place - 1]
            d.declared_place[place] = d.declared_place[place - 1]
            place -= 1
        d.declared_seat[place] = seat
        d.declared_mask[place] = mask
        d.declared_at[place] = at
        d.declared_place[place] = i
    for i in range(count):
        for j in range(i):
            if d.declared_seat[i] == d.declared_seat[j]:
                one, other = np_int(d.declared_mask[i]), np_int(d.declared_mask[j])
                if not may_stand_together(rules, other, one):
                    return False
    return True


@njit
def take_belotes(rules, contract, r, d, s):
    count = np_int(r.belote_count)
    d.belote_count = count
    for i in range(count):
        seat, suit = np_int(r.belote_seat[i]), np_int(r.belote_suit[i])
        if contract == NO_TRUMPS or (contract != suit and contract != ALL_TRUMPS):
            return False
        queen, king = 8 * suit + QUEEN, 8 * suit + KING
        if not np_int(d.hands[seat]) >> queen & np_int(d.hands[seat]) >> king & 1:
            return False
        for j in range(i):
            if r.belote_seat[j] == seat and r.belote_suit[j] == suit:
                return False
        first = min(s.place_of[queen], s.place_of[king])
        second = max(s.place_of[queen], s.place_of[king])
        at = np_int(r.belote_at[i])
        if rules.belote_when == p.BELOTE_WHILE_HELD:
            if at != AT_NOT_SAID and at > second:
                return False
        else:
            is_second = rules.belote_when == p.BELOTE_SECOND_CARD and at == second
            if at != AT_NOT_SAID and at != first and not is_second:
                return False
            led = np_int(r.plays[first - first % rules.players]) >> 3
            is_discard = contract == ALL_TRUMPS and led != suit
            if is_discard and rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF:
                return False
        d.belote_seat[i] = seat
        d.belote_suit[i] = suit
        d.belote_at[i] = first
    return True


@njit
def contract_claims_agree(r, d):
    contract, declarer = d.contract, d.declarer
    if contract == NO_CONTRACT:
        return r.claimed_contract == NOT_SAID
    if r.claimed_contract != NOT_SAID and r.claimed_contract != contract:
        return False
    if r.claimed_declarer != NOT_SAID and r.claimed_declarer != declarer:
        return False
    return r.claimed_level == NOT_SAID or r.claimed_level == d.level


@njit
def trick_claims_agree(r, d, s):
    count = np_int(r.claimed_trick_count)
    tricks = s.tricks
    if count > tricks:
        return False
    for number in range(count):
        if r.claimed_tricks[number] != d.winners[number]:
            return False
    return True


@njit
def result_claims_agree(rules, r, d):
    if r.claimed_points[0] != NUMBER_NOT_SAID:
        for side in range(side_count_of(rules)):
            if r.claimed_points[side] != d.points[side]:
                return False
    if r.claimed_capot != NOT_SAID and r.claimed_capot != d.capot:
        return False
    made, result = r.claimed_made, d.result
    if made == NOT_SAID:
        return True
    return (result == MADE and made == 1) or (result == FAILED and made == 0)


@njit
def score_claims_agree(rules, winner, r, d):
    """Score and hanging points as one record can tell: what hung before is known of a first deal alone."""
    hangs = rules.exact_tie == p.TIE_HANGS or rules.exact_tie_no_trumps == p.TIE_HANGS
    can_hang = rules.rounding != p.ROUND_BALOOT and hangs
    is_known = r.deal == 1 or not can_hang
    if r.claimed_score[0] != NUMBER_NOT_SAID:
        for side in range(side_count_of(rules)):
            more = r.claimed_score[side] - d.score[side]
            if more != 0 and (is_known or side != winner or more < 0):
                return False
    hanging = r.claimed_hanging
    if hanging == NUMBER_NOT_SAID:
        return True
    if winner != NO_SIDE:
        if not is_known and rules.hung_policy == p.HUNG_ONE_BY_ONE:
            return True
        return hanging == 0
    return hanging == d.hanging if is_known else hanging >= d.hanging


@njit
def check_passed(rules, r, d):
    d.result, d.capot = PASSED_OUT, NO_SIDE
    d.contract, d.declarer, d.level = NO_CONTRACT, NO_SEAT, 1
    if r.has_hands or r.play_count or r.exchange != NOT_SAID:
        return False
    if r.declared_count or r.belote_count:
        return False
    has_claims = r.claimed_points[0] != NUMBER_NOT_SAID or r.claimed_made != NOT_SAID
    if has_claims or r.claimed_capot != NOT_SAID:
        return False
    if r.claimed_contract != NOT_SAID or r.claimed_trick_count > 0:
        return False
    return score_claims_agree(rules, NO_SIDE, r, d)


@njit
def check_row(rules, r, d, s):
    auction, is_legal = read_auction(rules, r, s)
    if not is_legal:
        return False
    contract, level = auction.contract, level_of(rules, auction.doubles)
    is_all_pass = contract == NO_CONTRACT
    if is_all_pass:
        contract = all_pass_contract(rules, auction)
        if contract == NO_CONTRACT:
            is_unknown = rules.all_pass == p.ALL_PASS_PLAY
            return not is_unknown and check_passed(rules, r, d)
        level = 1
    if r.end != END_PLAYED or r.play_count != s.cards:
        return False
    dealer = np_int(r.dealer)
    leader = seat_after(rules, dealer)
    d.contract, d.declarer, d.level = contract, auction.declarer_seat, level
    if not contract_claims_agree(r, d):
        return False
    for side in range(3):
        s.tricks_won[side] = s.card_points[side] = 0
    last = find_winners(rules, contract, leader, r, d, s)
    if not trick_claims_agree(r, d, s):
        return False
    take_hands(rules, r, d, s)
    if not hands_agree(rules, auction, is_all_pass, r, s):
        return False
    if not cards_are_legal(rules, contract, auction.is_closed != 0, r, s):
        return False
    if not take_declarations(rules, contract, leader, r, d):
        return False
    if not take_belotes(rules, contract, r, d, s):
        return False
    settle(rules, contract, level, auction.declarer_seat, leader, last, d, s)
    if not result_claims_agree(rules, r, d):
        return False
    winner = NO_SIDE
    if d.result == MADE or d.result == FAILED:
        points = settled_points(d)
        declarer_side = side_of(rules, auction.declarer_seat)
        winner = deal_winner(rules, points, declarer_side, np_int(d.capot), np_int(d.result))
    return score_claims_agree(rules, winner, r, d)


@compiled_loop
def check_rows(rules, records, rows, s, status):
    for row in range(records.size):
        status[row] = CLEAN if check_row(rules, records[row], rows[row], s) else DOUBTFUL
