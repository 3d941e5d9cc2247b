"""Rounds and matches of the shape of a Baloot server's archive, dealt and played by chance.

Legal cards, winners, points and scores come from the project's own rules, so that a round says the truth until a
test changes it. ``python -m tests.read.archive`` writes the sample of ``data/samples/baloot-archive`` to stdout.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

import belot_stats as bs
from belot_stats.cards import CARD_NAMES, CARD_NUMBERS, format_hand, mask_of
from belot_stats.checker import check_deal
from belot_stats.deal import Deal, StatedContract

RULES = bs.load_ruleset("baloot-archive-server")
SEATS = ("Bottom", "Right", "Top", "Left")
SYMBOLS = dict(zip("CDHS", "♣♦♥♠", strict=True))


def card_object(name: str) -> dict[str, Any]:
    """Flat card object of *name* ("TD")."""
    rank, suit = name[0].replace("T", "10"), SYMBOLS[name[1]]
    return {"suit": suit, "rank": rank, "id": rank + suit, "value": 0}


def play_out(chance: random.Random, hands: list[str], contract: str, leader: int) -> list[str]:
    """32 cards in the order played, every one of them legal."""
    left = [hand.split() for hand in hands]
    plays: list[str] = []
    for _ in range(8):
        trick: list[tuple[int, str]] = []
        for turn in range(4):
            seat = (leader + turn) % 4
            card = chance.choice(bs.legal_cards(RULES, contract, left[seat], trick, seat))
            left[seat].remove(card)
            trick.append((seat, card))
        plays += [card for _, card in trick]
        leader = winner_of(trick, contract)
    return plays


def winner_of(trick: list[tuple[int, str]], contract: str) -> int:
    """Seat that wins *trick*, told by a list of all cards from the worst to the best."""
    led = trick[0][1][1]
    ranks = {"trump": "78QKT A9J".replace(" ", ""), "plain": "789JQKTA"}

    def strength(play: tuple[int, str]) -> int:
        rank, suit = play[1]
        if suit == contract:
            return 100 + ranks["trump"].index(rank)
        return ranks["plain"].index(rank) if suit == led else -1

    return max(trick, key=strength)[0]


def played_round(
    chance: random.Random, number: int, dealer: int, contract: str, bidder: int, nested: bool
) -> dict[str, Any]:
    """A round played to its end, with the scores that the rules give."""
    pack = list(CARD_NAMES)
    chance.shuffle(pack)
    hands = [
        format_hand(mask_of(CARD_NUMBERS[name] for name in pack[8 * seat : 8 * seat + 8]))
        for seat in range(4)
    ]
    plays = play_out(chance, hands, contract, (dealer + 1) % 4)
    deal = Deal(
        source="s", match="m", deal=number, rules=RULES.name, dealer=dealer,
        contract=StatedContract(call="CDHSNA".index(contract), seat=bidder),
        hands=tuple(mask_of(map(CARD_NUMBERS.__getitem__, hand.split())) for hand in hands),
        plays=tuple(CARD_NUMBERS[name] for name in plays),
    )  # fmt: skip
    computed = check_deal(deal, RULES).computed
    bid = bid_object(contract, bidder)
    leaders = [(dealer + 1) % 4, *computed.trick_winners]
    tricks = [
        trick_object(
            plays[4 * k : 4 * k + 4], leaders[k], computed.trick_winners[k], computed.trick_points[k], nested
        )
        for k in range(8)
    ]
    last = computed.trick_winners[-1] % 2
    blocks = [
        {
            "aklat": computed.card_points[side] - 10 * (side == last), "ardh": 10 * (side == last), "projectPoints": 0,
            "abnat": computed.points[side], "result": computed.score[side], "isKaboot": computed.capot_side == side,
            "multiplierApplied": 1, "projects": [],
        }
        for side in (0, 1)
    ]  # fmt: skip
    winner = "us" if computed.score[0] > computed.score[1] else "them"
    scores = {
        "roundNumber": number, "bid": dict(bid), "us": blocks[0], "them": blocks[1], "winner": winner,
        "baida": False, "project": bid["type"],
    }  # fmt: skip
    return {
        "roundNumber": number, "bid": bid, "scores": scores, "tricks": tricks, "dealerIndex": dealer, "floorCard": None,
        "declarations": {}, "initialHands": {SEATS[s]: [card_object(c) for c in hands[s].split()] for s in range(4)},
    }  # fmt: skip


def bid_object(contract: str, bidder: int, ashkal: bool = False) -> dict[str, Any]:
    """Bid of a round that was dealt out."""
    return {
        "type": "SUN" if contract == "N" else "HOKUM", "bidder": SEATS[bidder], "doubled": False,
        "suit": SYMBOLS.get(contract), "level": 1, "variant": None, "isAshkal": ashkal, "isTentative": False,
    }  # fmt: skip


def trick_object(cards: list[str], leader: int, winner: int, points: int, nested: bool) -> dict[str, Any]:
    """One complete trick, its cards flat or nested."""
    seats = [SEATS[(leader + turn) % 4] for turn in range(4)]
    objects: list[Any] = [card_object(card) for card in cards]
    if nested:
        objects = [{"card": card, "playedBy": seat} for card, seat in zip(objects, seats, strict=True)]
    return {"winner": SEATS[winner], "points": points, "cards": objects, "playedBy": seats}


def qayd_scores(number: int, winner: str, points: int, shape: str) -> dict[str, Any]:
    """Scores of a round stopped by a penalty, in one of the three shapes."""
    more: dict[str, Any] = {
        "a": {},
        "b": dict.fromkeys(("trickPoints", "floorPoints", "projectPoints", "abnatPoints"), 0),
    }.get(shape, {"aklat": 0, "ardh": 0, "projects": [], "abnat": 0})
    key = "result" if shape == "c" else "gamePoints"
    blocks = {
        team: {key: points if team == winner else 0, **more, "isKaboot": True} for team in ("us", "them")
    }
    return {"roundNumber": number, "qayd": True, "winner": winner, **blocks}


def stopped_round(whole: dict[str, Any], tricks: int, winner: str, points: int, shape: str) -> dict[str, Any]:
    """*whole* stopped by a penalty after *tricks* tricks."""
    scores = qayd_scores(whole["roundNumber"], winner, points, shape)
    return {**whole, "tricks": whole["tricks"][:tricks], "scores": scores, "declarations": {}}


def bidding_round(number: int, dealer: int, floor: str) -> dict[str, Any]:
    """A round stopped by a penalty while it was bid."""
    return {
        "roundNumber": number, "bid": {"type": None, "bidder": None, "doubled": False},
        "scores": qayd_scores(number, "them", 16, "a"), "tricks": [], "dealerIndex": dealer,
        "floorCard": card_object(floor), "declarations": {}, "initialHands": {},
    }  # fmt: skip


def claimed_round(whole: dict[str, Any], tricks: int) -> dict[str, Any]:
    """*whole* after *tricks* tricks claimed by who is on lead; the scores stay as they were."""
    claimer = whole["tricks"][tricks - 1]["winner"]
    left = [card for trick in whole["tricks"][tricks:] for card in trick["cards"]]
    block = {
        "winner": claimer,
        "points": sum(trick["points"] for trick in whole["tricks"][tricks:]),
        "cards": [{"card": card.get("card", card), "playedBy": claimer} for card in left],
    }
    return {**whole, "tricks": [*whole["tricks"][:tricks], block]}


def match_object(number: int, game_id: str, rounds: list[dict[str, Any]]) -> dict[str, Any]:
    """Match of *rounds*, whose final score is the sum of those that differ from the one before."""
    totals = {"us": 0, "them": 0}
    before: dict[str, Any] | None = None
    for item in rounds:
        for team in totals:
            block = item.get("scores", {}).get(team, {})
            totals[team] += 0 if item == before else block.get("result", block.get("gamePoints", 0))
        before = item
    return {
        "id": number, "game_id": game_id, "timestamp": f"2026-03-01 20:{number:02}:00",
        "final_score_us": totals["us"], "final_score_them": totals["them"], "rounds": rounds,
    }  # fmt: skip


def sample_matches(seed: int = 1) -> list[dict[str, Any]]:
    """One match of each shape that the archive shows."""
    chance = random.Random(seed)
    flat = [
        played_round(chance, (1, 2, 1, 1)[k], k % 4, "DNSN"[k], (k + 1) % 4, nested=False) for k in range(4)
    ]
    nested = [
        played_round(chance, (2, 1, 2, 1)[k], (k + 2) % 4, "HNCN"[k], (k + 3) % 4, nested=True)
        for k in range(4)
    ]
    nested[1]["bid"] |= {"isAshkal": True, "bidder": SEATS[(nested[1]["dealerIndex"] + 1) % 4], "suit": "SUN"}
    nested[1]["scores"]["bid"] = dict(nested[1]["bid"])
    nested[2]["tricks"][0]["metadata"] = [
        {"reasoning": "plays low"}, None, {}, {"cardId": "x", "is_illegal": True, "illegal_reason": "Rule Violation"}
    ]  # fmt: skip
    return [
        match_object(1, "0a1b2c3d", [flat[0], flat[0], flat[1]]),
        match_object(2, "test_2", [{"test": "data"}]),
        match_object(3, "1b2c3d4e", [{**flat[2], "initialHands": {}}, bidding_round(2, 3, "TC")]),
        match_object(
            4,
            "2c3d4e5f",
            [stopped_round(flat[3], 2, "them", 26, "a"), stopped_round(nested[0], 0, "us", 16, "b")],
        ),
        match_object(5, "3d4e5f60", []),
        match_object(
            6, "replay_1b2c3d4e_1_2_3_4e5f6071", [nested[1], stopped_round(nested[2], 3, "us", 16, "c")]
        ),
        match_object(7, "5f607182", [claimed_round(nested[3], 7)]),
    ]


def to_lines(matches: list[dict[str, Any]]) -> bytes:
    """JSON Lines of *matches*."""
    return b"".join(json.dumps(match, ensure_ascii=False).encode() + b"\n" for match in matches)


if __name__ == "__main__":
    sys.stdout.buffer.write(to_lines(sample_matches()))
