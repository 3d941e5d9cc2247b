-- Question:  who led, who won, and what was in it?
-- Grain:     one row a complete trick of a deal that counts (source, match, deal, trick); tricks count
--            from 0.
-- Caution:   cards are in the order played, one a seat from the leader on.  is_declarer_side is null where
--            nobody ordered the contract.
with unrolled as (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        contract,
        contract_name,
        contract_class,
        declarer_side,
        side_count,
        seat_count,
        outcome,
        trick_leaders,
        trick_winners,
        trick_points as points_by_trick,
        plays,
        unnest(generate_series(0, len(trick_winners) - 1)) as trick
    from counted_deals
),

played as (
    select
        source,
        match,
        deal,
        trick,
        rules,
        rules_hash,
        contract,
        contract_name,
        contract_class,
        outcome,
        trick_leaders[trick + 1] as leader_seat,
        trick_winners[trick + 1] as winner_seat,
        trick_winners[trick + 1]::integer % side_count as winner_side,
        trick_winners[trick + 1]::integer % side_count = declarer_side as is_declarer_side,
        points_by_trick[trick + 1] as trick_points,
        plays[trick * seat_count + 1:(trick + 1) * seat_count] as cards,
        trick = len(trick_winners) - 1 as is_last_known
    from unrolled
)

select * from played
