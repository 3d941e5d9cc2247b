-- Question:  who sat where, with what, and how did it go?
-- Grain:     one row a seat of a deal that counts (source, match, deal, seat).
-- Caution:   points and scores are of the seat's side, so partners repeat them.
with unrolled as (
    select
        *,
        unnest(generate_series(0, seat_count - 1)) as seat
    from deals
),

seated as (
    select
        source,
        match,
        deal,
        seat,
        rules,
        rules_hash,
        (seat % side_count)::integer as side,
        players[seat + 1] as player,
        seat = dealer as is_dealer,
        ((seat - dealer::integer - 1 + seat_count) % seat_count + 1)::integer as position,
        coalesce(seat = declarer, false) as is_declarer,
        coalesce(seat % side_count = declarer_side, false) as is_declarer_side,
        outcome,
        is_scored,
        contract,
        contract_name,
        contract_class,
        level,
        first_hands[seat + 1] as first_hand,
        dealt_hands[seat + 1] as dealt_hand,
        tricks_won[seat % side_count + 1] as side_tricks_won,
        points[seat % side_count + 1] as side_points,
        score[seat % side_count + 1] as side_score,
        match_score[seat % side_count + 1] as side_match_score,
        list_sum(points) - points[seat % side_count + 1] as other_points,
        list_sum(score) - score[seat % side_count + 1] as other_score,
        illegal_cards
    from unrolled
)

select * from seated
