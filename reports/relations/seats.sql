-- Question:  who sat where, with what, and how did it go?
-- Grain:     one row a seat of a deal that counts (source, match, deal, seat).
-- Caution:   points and scores are of the seat's side, so partners repeat them; where nobody has a partner
--            every seat is a side.  other_points and other_score are of all other sides together, other_sides
--            says how many they are.
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
        coalesce(seat = exchange_seat, false) as is_exchanger,
        outcome,
        is_scored,
        contract,
        contract_name,
        contract_class,
        level,
        first_hands[seat + 1] as first_hand,
        dealt_hands[seat + 1] as dealt_hand,
        tricks_won[seat % side_count + 1] as side_tricks_won,
        case seat % side_count when 0 then points_0 when 1 then points_1 else points_2 end as side_points,
        case seat % side_count when 0 then score_0 when 1 then score_1 else score_2 end as side_score,
        case seat % side_count when 0 then match_score_0 when 1 then match_score_1 else match_score_2 end
            as side_match_score,
        case seat % side_count
            when 0 then points_1 + coalesce(points_2, 0)
            when 1 then points_0 + coalesce(points_2, 0)
            else points_0 + points_1
        end as other_points,
        case seat % side_count
            when 0 then score_1 + coalesce(score_2, 0)
            when 1 then score_0 + coalesce(score_2, 0)
            else score_0 + score_1
        end as other_score,
        side_count - 1 as other_sides,
        illegal_cards
    from unrolled
)

select * from seated
