-- Question:  who called what, and when?
-- Grain:     one row a call of a deal that counts (source, match, deal, call_index); calls count from 0.
-- Caution:   logs without an auction have no calls here; illegal calls stand with the others.  round (1, 2)
--            and offered_card, the card that lies turned up in it, are null where the bidding is not for a
--            turned-up card; calls after the order belong to its round.
with unrolled as (
    select
        counted_deals.source,
        counted_deals.match,
        counted_deals.deal,
        counted_deals.rules,
        counted_deals.rules_hash,
        counted_deals.dealer,
        counted_deals.players,
        counted_deals.side_count,
        counted_deals.seat_count,
        counted_deals.turn_up_card,
        counted_deals.second_turn_up_card,
        rule_sets.bidding in ('turn_up', 'floor_card') as is_for_turn_up,
        rule_sets.round_two,
        if(
            rule_sets.bidding = 'floor_card',
            nullif(list_position([call <> 6 for call in counted_deals.auction], true), 0) - 1,
            null
        ) as order_index,
        unnest(counted_deals.auction) as call,
        generate_subscripts(counted_deals.auction, 1) - 1 as call_index
    from counted_deals
    left join rule_sets on counted_deals.rules_hash = rule_sets.rules_hash
),

seated as (
    select
        *,
        (
            ['C', 'D', 'H', 'S', 'N', 'A', 'P', 'X', 'XX', 'XXX', 'XXXX', 'AK', 'X-', 'XXX-']
        )[call::integer + 1] as call_name,
        (dealer + 1 + call_index)::integer % seat_count as seat,
        if(is_for_turn_up, if(least(call_index, order_index) < seat_count, 1, 2), null) as round
    from unrolled
),

with_player as (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        call_index,
        call,
        call_name,
        seat,
        seat % side_count as side,
        players[seat + 1] as player,
        side_count,
        seat_count,
        round,
        case
            when round = 1 or round_two <> 'second_turn_up' then if(is_for_turn_up, turn_up_card, null)
            when round = 2 then second_turn_up_card
        end as offered_card
    from seated
)

select * from with_player
