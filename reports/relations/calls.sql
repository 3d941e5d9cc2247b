-- Question:  who called what, and when?
-- Grain:     one row a call of a deal that counts (source, match, deal, call_index); calls count from 0.
-- Caution:   logs without an auction have no calls here; illegal calls stand with the others.
with unrolled as (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        dealer,
        players,
        side_count,
        seat_count,
        unnest(auction) as call,
        generate_subscripts(auction, 1) - 1 as call_index
    from counted_deals
),

seated as (
    select
        * exclude (players, dealer),
        (
            ['C', 'D', 'H', 'S', 'N', 'A', 'P', 'X', 'XX', 'XXX', 'XXXX', 'AK', 'X-', 'XXX-']
        )[call::integer + 1] as call_name,
        (dealer + 1 + call_index)::integer % seat_count as seat,
        ((dealer + 1 + call_index)::integer % seat_count) % side_count as side,
        players[(dealer + 1 + call_index)::integer % seat_count + 1] as player
    from unrolled
)

select * from seated
