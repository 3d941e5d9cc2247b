-- Question:  what was announced, and what became of it?
-- Grain:     one row an announced combination or belote of a deal that counts (source, match, deal,
--            announcement).
-- Caution:   points are what a combination is worth, whether it counted or not; belotes have none here.
--            announced_at counts the cards then on the table (of a belote, those before the first of its
--            two), trick is the one in which that was, from 0: an announcement made on lead, after a trick,
--            is made at the beginning of the next.
with combinations as (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        players,
        outcome,
        is_decided,
        contract,
        contract_class,
        illegal_cards,
        seat_count,
        generate_subscripts(declaration_results, 1) - 1 as announcement,
        unnest(declaration_results, recursive := true)  -- noqa: AL03
    from counted_deals
),

belotes as (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        players,
        outcome,
        is_decided,
        contract,
        contract_class,
        illegal_cards,
        seat_count,
        len(declaration_results) + generate_subscripts(belote_results, 1) - 1 as announcement,
        'belote' as kind,
        unnest(belote_results, recursive := true)  -- noqa: AL03
    from counted_deals
),

announced as (
    select * from combinations
    union all by name
    select * from belotes
),

classified as (
    select
        * exclude ("at", seat_count),  -- noqa: RF06
        "at" as announced_at,  -- noqa: RF06
        "at" // seat_count as trick,  -- noqa: RF06
        case
            when
                kind = 'belote'
                then 'belote-' || (['clubs', 'diamonds', 'hearts', 'spades'])[suit::integer + 1]
            when kind <> 'carre' then kind
            when cards is null then 'carre-unknown'
            when (cards & 255) = 16 then 'carre-jacks'
            when (cards & 255) = 4 then 'carre-nines'
            else 'carre-others'
        end as rank_class,
        status = 'counted' as is_counted
    from announced
)

select * from classified
