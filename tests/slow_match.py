"""Whole matches by the slow engine, as ``bhh/1`` records: dealt, bid, announced, played and scored under any rules."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from belot_stats.cards import CARD_NAMES, cards_in
from belot_stats.parameters import BIDDING_FLOOR_CARD
from belot_stats.rules.table import hand_size, pack_mask
from belot_stats.ruleset import RuleSet, ruleset_values
from tests import naive, naive_baloot, naive_deal, strategies

Record = dict[str, Any]


class Course(NamedTuple):
    """How a deal went, as far as its score depends on it."""

    contract: str
    hands: list[list[str]]
    plays: list[tuple[int, str]]
    declared: dict[int, list[str]]
    times: dict[int, int]
    belotes: list[tuple[int, str, int]]  # seat, suit, cards on the table


class Match:
    """A match under way; :meth:`next_record` plays its next deal."""

    def __init__(self, rules: RuleSet, rng: random.Random) -> None:
        self.rules, self.rng = rules, rng
        self.names = strategies.naive_rules(rules)
        self.sides = naive.all_sides(self.names)
        self.totals = [0] * len(self.sides)
        self.hung: list[int] = []
        self.dealer, self.number = rng.randrange(rules.players), 0
        self.winner: int | None = None

    def next_record(self) -> Record:
        """The next deal; None of its claims is wrong."""
        self.number += 1
        record: Record = {
            "format": "bhh/1",
            "source": "slow",
            "match": "m1",
            "deal": self.number,
            "rules": "belot-bg",
            "options": ruleset_values(self.rules),
            "dealer": self.dealer,
        }
        first_hands, turned, rest = naive_deal.deal_first(self.names, self.pack(), self.dealer)
        if turned:
            record["turn_up"] = turned[0] if len(turned) == 1 else turned
        record["first_hands"] = texts(first_hands)
        record["auction"], result = self.bid(turned)
        contract, declarer = result["contract"], result["declarer"]
        if contract is None and self.names["all_pass"] == "redeal":
            return self.passed(record)
        receiver = naive_deal.turn_up_receiver(
            self.names, contract, declarer, self.dealer, result.get("ashkal", False)
        )
        hands = naive_deal.deal_second(self.names, first_hands, turned, rest, self.dealer, receiver)
        hands = self.exchange(record, contract, declarer, hands, turned)
        record["hands"] = texts(hands)
        trumps = contract or naive_deal.all_pass_contract(self.names, turned)
        course = self.course(trumps, hands, declarer, result.get("is_closed", False))
        return self.settle(self.write(record, course), course, declarer, result["level"])

    def course(self, contract: str, hands: list[list[str]], declarer: int | None, is_closed: bool) -> Course:
        """Cards and announcements of a deal; of several tries one that ends level, in one deal of five."""
        tries = 12 if self.rng.random() < 0.2 else 1
        for _ in range(tries):
            course = self.announce(contract, hands, self.play(contract, hands, is_closed))
            points = self.points(course, len(course.plays))[0]
            own = points[naive.side_of(self.names, declarer or 0)]
            if list(points.values()).count(own) > 1:
                break
        return course

    def pack(self) -> list[str]:
        """Cards in a random order, often a poor one; a second turned-up card is of another suit (Q12)."""
        cards = [CARD_NAMES[card] for card in cards_in(pack_mask(self.rules))]
        if self.rng.random() < 0.6:
            self.rng.shuffle(cards)
        for _ in range(self.rng.randint(4, 30)):
            one, other = self.rng.randrange(len(cards)), self.rng.randrange(len(cards))
            cards[one], cards[other] = cards[other], cards[one]
        first = self.rules.players * sum(self.names["first_packets"])
        if self.names["turn_up"] == "two":
            other = next(at for at in range(first + 1, len(cards)) if cards[at][1] != cards[first][1])
            cards[first + 1], cards[other] = cards[other], cards[first + 1]
        return cards

    def bid(self, turned: list[str]) -> tuple[list[str], dict[str, Any]]:
        """Legal calls until the auction is over, and what comes of them."""
        calls: list[str] = []
        while legal := naive.legal_calls(self.names, calls, self.dealer, turned):
            calls.append(self.call(legal))
        return calls, naive.auction_result(self.names, calls, self.dealer, turned)

    def call(self, legal: list[str]) -> str:
        """Mostly a pass."""
        return "P" if "P" in legal and self.rng.random() < 0.6 else self.rng.choice(legal)

    def exchange(
        self, record: Record, contract: str | None, declarer: int | None, hands: list, turned: list[str]
    ) -> list:
        """Hands after the holder of the trump seven has exchanged it, which he mostly does where he may."""
        for seat, hand in enumerate(hands):
            if naive_deal.may_exchange(self.names, contract, declarer, hand, turned):
                if self.rng.random() < 0.7:
                    record["exchange"] = {"seat": seat}
                    hands[seat] = naive_deal.after_exchange(hand, turned)
                break
        return hands

    def play(self, contract: str, hands: list[list[str]], is_closed: bool) -> list[tuple[int, str]]:
        """All cards, legal ones at random."""
        left, plays = [list(hand) for hand in hands], []
        leader = (self.dealer + 1) % self.rules.players
        for _ in range(hand_size(self.rules)):
            trick: list[tuple[int, str]] = []
            for place in range(self.rules.players):
                seat = (leader + place) % self.rules.players
                cards = naive.legal_cards(self.names, contract, left[seat], trick, seat)
                card = self.rng.choice(cards if trick else naive.lead_cards(contract, cards, is_closed))
                left[seat].remove(card)
                trick.append((seat, card))
            leader = naive.trick_winner(self.names, contract, trick)
            plays += trick
        return plays

    def announce(self, contract: str, hands: list[list[str]], plays: list[tuple[int, str]]) -> Course:
        """What the hands have to announce, each at a time that the rules allow."""
        declared, times = {}, {}
        for seat, hand in enumerate(hands):
            turns = [at for at, (player, _) in enumerate(plays) if player == seat]
            best = naive.best_declarations(self.names, contract, hand)
            at = self.rng.choice(turns[:2])
            in_time = [c for c in best if not naive_deal.is_late(self.names, plays, seat, c, at)]
            if in_time and self.rng.random() < 0.9:
                declared[seat], times[seat] = in_time, at
        belotes = [
            (seat, suit, self.belote_time(plays, seat, suit))
            for seat, hand in enumerate(hands)
            for suit in naive.SUITS
            if naive_deal.belote_fault(self.names, contract, hand, plays, seat, suit) is None
        ]
        return Course(contract, hands, plays, declared, times, belotes)

    def belote_time(self, plays: list[tuple[int, str]], seat: int, suit: str) -> int:
        """With the first of the two cards, or at any turn before the second where that is enough."""
        pair = sorted(naive_deal.index_of_card(plays, rank + suit) for rank in "KQ")
        if self.names["belote_when"] != "while_held":
            return pair[0]
        return self.rng.choice(
            [at for at, (player, _) in enumerate(plays) if player == seat and at <= pair[1]]
        )

    def write(self, record: Record, course: Course) -> Record:
        """The course of the deal in the record's words."""
        record["plays"] = " ".join(card for _, card in course.plays)
        record["declarations"] = [
            {"seat": seat, "cards": cards, "at": course.times[seat]}
            for seat, combinations in course.declared.items()
            for cards in combinations
        ]
        record["belotes"] = [{"seat": seat, "suit": suit, "at": at} for seat, suit, at in course.belotes]
        return record

    def tricks(self, course: Course, at: int) -> list[tuple[int, list[str]]]:
        """Whole tricks of the first *at* cards: winner, cards."""
        size = self.rules.players
        played = [course.plays[start : start + size] for start in range(0, at - size + 1, size)]
        return [
            (naive.trick_winner(self.names, course.contract, trick), [card for _, card in trick])
            for trick in played
        ]

    def bonuses(self, course: Course, at: int) -> tuple[dict[int, int], dict[int, int]]:
        """Declarations and belotes a side that were announced up to *at* cards on the table."""
        made = {seat: combos for seat, combos in course.declared.items() if course.times[seat] <= at}
        leader = (self.dealer + 1) % self.rules.players
        declared = naive.score_declarations(self.names, course.contract, made, leader, course.times)
        belotes = dict.fromkeys(self.sides, 0)
        for seat, suit, announced in course.belotes:
            stands_alone = self.names["belote_with_hundred"] or not self.in_hundred(
                course, made, seat, suit, leader
            )
            if announced <= at and stands_alone:
                belotes[naive.side_of(self.names, seat)] += self.names["belote_points"]
        return declared, belotes

    def in_hundred(self, course: Course, made: dict, seat: int, suit: str, leader: int) -> bool:
        """BALOOT.md 1e: a counted hundred of the same player that holds both cards, or is four kings or queens."""
        for text in made.get(seat, []):
            cards = text.split()
            alone = naive.score_declarations(self.names, course.contract, {seat: [text]}, leader)
            without = made | {seat: [other for other in made[seat] if other != text]}
            all_points = naive.score_declarations(self.names, course.contract, made, leader, course.times)
            rest = naive.score_declarations(self.names, course.contract, without, leader, course.times)
            side = naive.side_of(self.names, seat)
            is_counted = all_points[side] - rest[side] >= alone[side]
            is_four = len(cards) == 4 and len({card[0] for card in cards}) == 1 and cards[0][0] in "KQ"
            holds_both = "K" + suit in cards and "Q" + suit in cards
            if alone[side] >= 100 and is_counted and (is_four or holds_both):
                return True
        return False

    def passed(self, record: Record) -> Record:
        """A deal that all passed, thrown in."""
        zero = [0] * len(self.sides)
        record |= {
            "end": "passed",
            "claimed": {"score": zero, "hanging": sum(self.hung), "total": self.totals[:]},
        }
        self.dealer = naive_deal.next_dealer(self.names, self.dealer)
        return record

    def settle(self, record: Record, course: Course, declarer: int | None, level: int) -> Record:
        """Declared out, or scored; the match moves on."""
        out = self.declare_out(record, course)
        if out is not None:
            return out
        whole = len(course.plays)
        tricks = self.tricks(course, whole)
        declared, belotes = self.bonuses(course, whole)
        raw, capot = self.points(course, whole)
        points = [raw[side] for side in self.sides]
        won = [sum(naive.side_of(self.names, seat) == side for seat, _ in tricks) for side in self.sides]
        claimed: Record = {"tricks": [seat for seat, _ in tricks]}
        made = None
        if declarer is None:
            score = self.all_pass_score(course, tricks, declared, belotes, won)
        else:
            side = naive.side_of(self.names, declarer)
            score, made = self.score(course, level, side, won)
            claimed |= {"points": points, "capot": capot, "made": made}
        self.totals = naive.add(self.totals, score)
        hanging = sum(self.hung)
        last = naive.side_of(self.names, tricks[-1][0])
        self.winner = naive.match_winner(
            self.names,
            self.totals,
            {
                "score": score,
                "capot": capot,
                "hanging": hanging,
                "last_trick": last,
                "whole_match": level == 0,
            },
        )
        claimed |= {"score": list(score), "hanging": hanging, "total": self.totals[:]}
        if self.winner is not None:
            claimed["winner"] = self.winner
        record["claimed"] = claimed
        hangs = declarer is not None and made is None
        self.dealer = naive_deal.next_dealer(self.names, self.dealer, declarer, points, hangs)
        return record

    def points(self, course: Course, at: int) -> tuple[dict[int, int], int | None]:
        """Raw points a side after *at* cards, and the side of a capot."""
        return naive.raw_points(
            self.names, course.contract, self.tricks(course, at), *self.bonuses(course, at)
        )

    def score(
        self, course: Course, level: int, declarer: int, won: list[int]
    ) -> tuple[tuple[int, ...], bool | None]:
        """What is written, and whether the contract was made; hung points go or come."""
        raw, capot = self.points(course, len(course.plays))
        belotes = self.bonuses(course, len(course.plays))[1]
        kept = [belotes[s] if won[s] or not self.names["belote_needs_trick"] else 0 for s in self.sides]
        points = [raw[side] for side in self.sides]
        score, self.hung, made = naive.score_deal(
            self.names, course.contract, level, points, declarer, capot, self.hung, kept, won
        )
        return score, made

    def all_pass_score(
        self, course: Course, tricks: list, declared: dict, belotes: dict, won: list[int]
    ) -> tuple[int, ...]:
        """Q20; the cards alone, with the last trick."""
        cards, _ = naive.raw_points(self.names, course.contract, tricks, {}, {})
        capot = dict.fromkeys(self.sides, 0)
        if self.names["capot"] == "raw" and won.count(0) == len(won) - 1:
            capot[max(self.sides, key=won.__getitem__)] = naive.capot_bonus(self.names, course.contract)
        return naive_deal.score_all_pass(
            self.names, [cards[side] - capot[side] for side in self.sides], declared, belotes, won
        )

    def declare_out(self, record: Record, course: Course) -> Record | None:
        """The record of a deal that a player ends by declaring out, where one can and does."""
        size, cards = self.rules.players, hand_size(self.rules)
        for at in range(size, size * cards, size):
            tricks = self.tricks(course, at)
            seat = tricks[-1][0]
            declared, belotes = self.bonuses(course, at - 1)
            raw, _ = naive.raw_points(
                self.names | {"capot": "none"}, course.contract, tricks, declared, belotes
            )
            last = self.names["last_trick_points"] * (
                self.names["no_trumps_factor"] if course.contract == "N" else 1
            )
            side = naive.side_of(self.names, seat)
            points = self.totals[side] + raw[side] - last
            may = naive_deal.may_declare_out(
                self.names, course.contract, course.plays, seat, at, cards, points
            )
            if may and self.rng.random() < 0.8:
                return self.declared_out(record, course, seat, at)
        return None

    def declared_out(self, record: Record, course: Course, seat: int, at: int) -> Record:
        """*course* broken off after *at* cards."""
        record["plays"] = " ".join(card for _, card in course.plays[:at])
        for name in ("declarations", "belotes"):
            record[name] = [item for item in record[name] if item["at"] < at]
        self.winner = naive.side_of(self.names, seat)
        return record | {
            "end": "declared_out",
            "ended_by": {"seat": seat, "at": at},
            "claimed": {"winner": self.winner, "tricks": [who for who, _ in self.tricks(course, at)]},
        }


class BalootMatch(Match):
    """A match of Baloot: the floor card, Sun and Hokum, double to gahwa, a conversion of its own."""

    def bid(self, turned: list[str]) -> tuple[list[str], dict[str, Any]]:
        calls: list[str] = []
        while legal := naive_baloot.legal_calls(self.names, calls, self.dealer, turned[0], self.totals):
            calls.append(self.call(legal))
        state = naive_baloot.read_bidding(self.names, calls, self.dealer, turned[0])
        levels = [1, *self.names["multipliers"]]
        return calls, state | {"level": levels[state["doubles"]]}

    def score(
        self, course: Course, level: int, declarer: int, won: list[int]
    ) -> tuple[tuple[int, ...], bool | None]:
        tricks = self.tricks(course, len(course.plays))
        cards, kaboot = naive.raw_points(self.names, course.contract, tricks, {}, {})
        parts = [[part[0], part[1]] for part in (cards, *self.bonuses(course, len(course.plays)))]
        return naive_baloot.score_deal(self.names, course.contract, level, *parts, declarer, kaboot)


def texts(hands: list[list[str]]) -> list[str]:
    """Hands as the record writes them."""
    return [" ".join(strategies.sorted_hand(hand)) for hand in hands]


def whole_match(rules: RuleSet, rng: random.Random, most: int) -> tuple[list[Record], int | None]:
    """Deals of a match until it is won, or *most* of them; and its winner."""
    is_baloot = rules.bidding == BIDDING_FLOOR_CARD
    match, records = (BalootMatch if is_baloot else Match)(rules, rng), []
    while match.winner is None and len(records) < most:
        records.append(match.next_record())
    return records, match.winner
