"""The deal pass in compiled form: one loop over records in columns.

A row is either clean - everything that the checker looks at agrees - and then all results of the deal are filled in;
or it is left to the checker, which takes it apart and words what is wrong. So this loop never decides what a fault is:
where it is not sure that there is none, the row is DOUBTFUL.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from belot_stats import parameters as p
from belot_stats.cards import ALL_TRUMPS, KING, NO_CARD, NO_CONTRACT, NO_SEAT, NO_SUIT, NO_TRUMPS, QUEEN
from belot_stats.record_columns import AT_NOT_SAID, END_PASSED, END_PLAYED, NOT_SAID, NUMBER_NOT_SAID
from belot_stats.rules.scoring import ALL_PASS, FAILED, HANGING, MADE, DealPoints
from belot_stats.rules.table import NO_SIDE

CLEAN, DOUBTFUL = 0, 1
PASSED_OUT = 4


def build_check(twins: dict[str, Any], settle: Any, record_type: Any) -> Any:
    """The compiled loop, made of the *twins* of the rule functions and the *settle* of all loops."""
    legal_mask, lead_mask, beats = twins["legal_mask"], twins["lead_mask"], twins["beats"]
    start_auction, after_call, legal_call_mask = (
        twins["start_auction"],
        twins["after_call"],
        twins["legal_call_mask"],
    )
    level_of, has_turn_up_bidding = twins["level_of"], twins["has_turn_up_bidding"]
    turn_up_receiver, all_pass_contract = twins["turn_up_receiver"], twins["all_pass_contract"]
    exchange_seven = twins["exchange_seven"]
    combination_points, may_stand_together = twins["combination_points"], twins["may_stand_together"]
    declarations_count, deal_winner = twins["declarations_count"], twins["deal_winner"]
    side_of, seat_after, side_count_of = twins["side_of"], twins["seat_after"], twins["side_count"]

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
    def read_auction(rules, row, records, scratch):
        """The auction after the calls of the record, and whether every one was legal and it is over."""
        dealer = np_int(records.dealer[row])
        auction = start_auction(
            rules, dealer, np_int(records.turn_up[row, 0]), np_int(records.turn_up[row, 1])
        )
        remembers = not has_turn_up_bidding(rules) and not rules.forced_dealer
        for place in range(records.call_count[row]):
            call = np_int(records.calls[row, place])
            if auction.is_over or not allowed_calls(rules, auction, scratch.legal_calls, remembers) >> call & 1:
                return auction, False
            auction = after_call(rules, auction, call)
        return auction, auction.is_over != 0

    @njit
    def np_int(value):
        return np.int64(value)

    @njit
    def find_winners(rules, contract, leader, row, records, columns, scratch):
        """Winners and points of the tricks; scratch.pack[2, place] is the seat that played each card."""
        players, at = rules.players, 0
        for number in range(columns.winners.shape[1]):
            best, best_seat, worth = NO_CARD, leader, 0
            for position in range(players):
                seat = leader + position
                if seat >= players:
                    seat -= players
                card = np_int(records.plays[row, at])
                scratch.seat_at[at] = seat
                scratch.place_of[card] = at
                at += 1
                worth += scratch.worth[contract, card]
                if position == 0 or beats(contract, card, best):
                    best, best_seat = card, seat
            columns.winners[row, number] = best_seat
            columns.trick_points[row, number] = worth
            leader = best_seat
            side = side_of(rules, leader)
            scratch.tricks_won[side] += 1
            scratch.card_points[side] += worth
        return leader

    @njit
    def take_hands(rules, row, records, columns, scratch):
        """Hands as written, or from the cards played."""
        hands = scratch.hands
        if records.has_hands[row]:
            for seat in range(rules.players):
                hands[seat] = np_int(records.hands[row, seat])
        else:
            for seat in range(rules.players):
                hands[seat] = 0
            for at in range(records.play_count[row]):
                hands[scratch.seat_at[at]] |= 1 << np_int(records.plays[row, at])
        for seat in range(rules.players):
            columns.hands[row, seat] = hands[seat]

    @njit
    def hands_agree(rules, auction, is_all_pass, row, records, scratch):
        """First hands, turned-up cards, exchange and hands can be true together."""
        exchanger = np_int(records.exchange[row])
        first, second = np_int(records.turn_up[row, 0]), np_int(records.turn_up[row, 1])
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
            if records.has_first_hands[row]:
                held = np_int(records.first_hands[row, seat])
                if gone and held & gone:
                    if seat != exchanger:
                        return False
                    held &= ~gone
            if first != NO_CARD and seat == receiver:
                held |= 1 << first
            if held & ~scratch.hands[seat] or scratch.hands[seat] & (table | gone):
                return False
        return True

    @njit
    def cards_are_legal(rules, contract, is_closed, row, records, scratch):
        players, hands = rules.players, scratch.hands
        led, best, best_seat = NO_SUIT, NO_CARD, NO_SEAT
        position = 0
        for at in range(records.play_count[row]):
            seat, card = scratch.seat_at[at], np_int(records.plays[row, at])
            if position == 0:
                legal = lead_mask(contract, hands[seat], is_closed)
            else:
                partner_holds = rules.partners == 1 and (seat - best_seat) % 2 == 0
                legal = legal_mask(rules, contract, hands[seat], led, best, partner_holds, position)
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
    def gone_before(at, row, records):
        mask = 0
        for place in range(at):
            mask |= 1 << np_int(records.plays[row, place])
        return mask

    @njit
    def is_in_time(rules, seat, at, mask, leader, row, records, columns):
        players = rules.players
        if rules.declare_when == p.ANNOUNCE_ON_LEAD:
            trick = at // players
            if at % players or at >= records.play_count[row]:
                return False
            on_lead = leader if trick == 0 else np_int(columns.winners[row, trick - 1])
            return on_lead == seat and gone_before(at, row, records) & mask == 0
        if rules.declare_when == p.ANNOUNCE_FIRST_CARD:
            return at <= (seat - leader) % players
        tricks = 2 if rules.declare_when == p.ANNOUNCE_SECOND_TRICK else 1
        return at < tricks * players

    @njit
    def take_declarations(rules, contract, leader, row, records, columns):
        """Declarations in the order announced; False where one of them may have a fault."""
        count = np_int(records.declared_count[row])
        columns.declared_count[row] = count
        if count == 0:
            return True
        if not declarations_count(rules, contract):
            return False
        for i in range(count):
            seat, mask = np_int(records.declared_seat[row, i]), np_int(records.declared_mask[row, i])
            at = np_int(records.declared_at[row, i])
            if at == AT_NOT_SAID:
                if rules.declare_when == p.ANNOUNCE_ON_LEAD:
                    return False
                at = (seat - leader) % rules.players
            is_held = mask & ~np_int(columns.hands[row, seat]) == 0
            if not is_held or combination_points(rules, contract, mask) < 0:
                return False
            if not is_in_time(rules, seat, at, mask, leader, row, records, columns):
                return False
            place = i
            while place > 0 and columns.declared_at[row, place - 1] > at:
                columns.declared_seat[row, place] = columns.declared_seat[row, place - 1]
                columns.declared_mask[row, place] = columns.declared_mask[row, place - 1]
                columns.declared_at[row, place] = columns.declared_at[row, place - 1]
                columns.declared_place[row, place] = columns.declared_place[row, place - 1]
                place -= 1
            columns.declared_seat[row, place] = seat
            columns.declared_mask[row, place] = mask
            columns.declared_at[row, place] = at
            columns.declared_place[row, place] = i
        for i in range(count):
            for j in range(i):
                if columns.declared_seat[row, i] == columns.declared_seat[row, j]:
                    one, other = np_int(columns.declared_mask[row, i]), np_int(columns.declared_mask[row, j])
                    if not may_stand_together(rules, other, one):
                        return False
        return True

    @njit
    def take_belotes(rules, contract, row, records, columns, scratch):
        count = np_int(records.belote_count[row])
        columns.belote_count[row] = count
        for i in range(count):
            seat, suit = np_int(records.belote_seat[row, i]), np_int(records.belote_suit[row, i])
            if contract == NO_TRUMPS or (contract != suit and contract != ALL_TRUMPS):
                return False
            queen, king = 8 * suit + QUEEN, 8 * suit + KING
            if not np_int(columns.hands[row, seat]) >> queen & np_int(columns.hands[row, seat]) >> king & 1:
                return False
            for j in range(i):
                if records.belote_seat[row, j] == seat and records.belote_suit[row, j] == suit:
                    return False
            first = min(scratch.place_of[queen], scratch.place_of[king])
            second = max(scratch.place_of[queen], scratch.place_of[king])
            at = np_int(records.belote_at[row, i])
            if rules.belote_when == p.BELOTE_WHILE_HELD:
                if at != AT_NOT_SAID and at > second:
                    return False
            else:
                is_second = rules.belote_when == p.BELOTE_SECOND_CARD and at == second
                if at != AT_NOT_SAID and at != first and not is_second:
                    return False
                led = np_int(records.plays[row, first - first % rules.players]) >> 3
                is_discard = contract == ALL_TRUMPS and led != suit
                if is_discard and rules.belote_when == p.BELOTE_LEAD_FOLLOW_RUFF:
                    return False
            columns.belote_seat[row, i] = seat
            columns.belote_suit[row, i] = suit
            columns.belote_at[row, i] = first
        return True

    @njit
    def contract_claims_agree(row, records, columns):
        contract, declarer = columns.contract[row], columns.declarer[row]
        if contract == NO_CONTRACT:
            return records.claimed_contract[row] == NOT_SAID
        if records.claimed_contract[row] != NOT_SAID and records.claimed_contract[row] != contract:
            return False
        if records.claimed_declarer[row] != NOT_SAID and records.claimed_declarer[row] != declarer:
            return False
        return records.claimed_level[row] == NOT_SAID or records.claimed_level[row] == columns.level[row]

    @njit
    def trick_claims_agree(row, records, columns):
        count = np_int(records.claimed_trick_count[row])
        tricks = columns.winners.shape[1]
        if count > tricks:
            return False
        for number in range(count):
            if records.claimed_tricks[row, number] != columns.winners[row, number]:
                return False
        return True

    @njit
    def result_claims_agree(rules, row, records, columns):
        if records.claimed_points[row, 0] != NUMBER_NOT_SAID:
            for side in range(records.claimed_points.shape[1]):
                if records.claimed_points[row, side] != columns.points[row, side]:
                    return False
        if records.claimed_capot[row] != NOT_SAID and records.claimed_capot[row] != columns.capot[row]:
            return False
        made, result = records.claimed_made[row], columns.result[row]
        if made == NOT_SAID:
            return True
        return (result == MADE and made == 1) or (result == FAILED and made == 0)

    @njit
    def score_claims_agree(rules, winner, row, records, columns):
        """Score and hanging points as one record can tell: what hung before is known of a first deal alone."""
        hangs = rules.exact_tie == p.TIE_HANGS or rules.exact_tie_no_trumps == p.TIE_HANGS
        can_hang = rules.rounding != p.ROUND_BALOOT and hangs
        is_known = records.deal[row] == 1 or not can_hang
        if records.claimed_score[row, 0] != NUMBER_NOT_SAID:
            for side in range(records.claimed_score.shape[1]):
                more = records.claimed_score[row, side] - columns.score[row, side]
                if more != 0 and (is_known or side != winner or more < 0):
                    return False
        hanging = records.claimed_hanging[row]
        if hanging == NUMBER_NOT_SAID:
            return True
        if winner != NO_SIDE:
            if not is_known and rules.hung_policy == p.HUNG_ONE_BY_ONE:
                return True
            return hanging == 0
        return hanging == columns.hanging[row] if is_known else hanging >= columns.hanging[row]

    @njit
    def check_passed(rules, row, records, columns):
        columns.result[row], columns.capot[row] = PASSED_OUT, NO_SIDE
        columns.contract[row], columns.declarer[row], columns.level[row] = NO_CONTRACT, NO_SEAT, 1
        if records.has_hands[row] or records.play_count[row] or records.exchange[row] != NOT_SAID:
            return False
        if records.declared_count[row] or records.belote_count[row]:
            return False
        has_claims = records.claimed_points[row, 0] != NUMBER_NOT_SAID or records.claimed_made[row] != NOT_SAID
        if has_claims or records.claimed_capot[row] != NOT_SAID:
            return False
        if records.claimed_contract[row] != NOT_SAID or records.claimed_trick_count[row] > 0:
            return False
        return score_claims_agree(rules, NO_SIDE, row, records, columns)

    @njit
    def check_row(rules, row, records, columns, scratch):
        auction, is_legal = read_auction(rules, row, records, scratch)
        if not is_legal:
            return False
        contract, level = auction.contract, level_of(rules, auction.doubles)
        is_all_pass = contract == NO_CONTRACT
        if is_all_pass:
            contract = all_pass_contract(rules, auction)
            if contract == NO_CONTRACT:
                is_unknown = rules.all_pass == p.ALL_PASS_PLAY
                return not is_unknown and check_passed(rules, row, records, columns)
            level = 1
        if records.end[row] != END_PLAYED or records.play_count[row] != records.plays.shape[1]:
            return False
        dealer = np_int(records.dealer[row])
        leader = seat_after(rules, dealer)
        columns.contract[row], columns.declarer[row], columns.level[row] = contract, auction.declarer_seat, level
        if not contract_claims_agree(row, records, columns):
            return False
        for side in range(3):
            scratch.tricks_won[side] = scratch.card_points[side] = 0
        last = find_winners(rules, contract, leader, row, records, columns, scratch)
        if not trick_claims_agree(row, records, columns):
            return False
        take_hands(rules, row, records, columns, scratch)
        if not hands_agree(rules, auction, is_all_pass, row, records, scratch):
            return False
        if not cards_are_legal(rules, contract, auction.is_closed != 0, row, records, scratch):
            return False
        if not take_declarations(rules, contract, leader, row, records, columns):
            return False
        if not take_belotes(rules, contract, row, records, columns, scratch):
            return False
        settle(rules, contract, level, auction.declarer_seat, leader, last, row, columns, scratch)
        if not result_claims_agree(rules, row, records, columns):
            return False
        winner = NO_SIDE
        if columns.result[row] == MADE or columns.result[row] == FAILED:
            points = settled_points(row, columns)
            declarer_side = side_of(rules, auction.declarer_seat)
            winner = deal_winner(
                rules, points, declarer_side, np_int(columns.capot[row]), np_int(columns.result[row])
            )
        return score_claims_agree(rules, winner, row, records, columns)

    @njit
    def triple(column, row):
        return np_int(column[row, 0]), np_int(column[row, 1]), np_int(column[row, 2])

    @njit
    def settled_points(row, columns):
        return DealPoints(
            triple(columns.points, row),
            triple(columns.card_points, row),
            triple(columns.declaration_points, row),
            triple(columns.belote_points, row),
            triple(columns.tricks_won, row),
        )

    @njit(nogil=True)
    def check_rows(rules, records, columns, scratch, status):
        for row in range(records.dealer.size):
            status[row] = CLEAN if check_row(rules, row, records, columns, scratch) else DOUBTFUL

    return check_rows
