-- Question:  how far do matches differ in what becomes of their contracts?
-- Grain:     one row a source, rule set, contract, level and seat of the declarer from the dealer; the
--            parameters group less.
-- Caution:   sums over matches of what the intervals in macros/statistics.sql need: n are the decided deals
--            of a match.  In lone sources every match is of one deal, and needs no counting.
with asked as (
    select *
    from counted_deals
    where
        is_decided
        and ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or list_contains(players, $player))
        and ($include_illegal or illegal_cards = 0)
),

grouped as not materialized (
    select
        source,
        match,
        rules,
        rules_hash,
        case
            when $contracts = 'all' then 'all'
            when declarer is null then 'none'
            when $contracts = 'class' then contract_class
            else contract_name
        end as contract,
        if($by_level and declarer is not null, level, null) as level,
        if($by_position, declarer_position, null) as declarer_position,
        (outcome = 'made')::integer as made,
        coalesce(capot_side = declarer_side, false)::integer as capots
    from asked
),

match_totals as not materialized (
    select
        source,
        rules,
        rules_hash,
        contract,
        level,
        declarer_position,
        count(*) as n,
        sum(made) as made,
        sum(capots) as capots
    from grouped
    where $has_matches and not list_contains($lone_sources::varchar[], source)
    group by source, rules, rules_hash, contract, level, declarer_position, match
    union all
    select
        source,
        rules,
        rules_hash,
        contract,
        level,
        declarer_position,
        1 as n,
        made,
        capots
    from grouped
    where len($lone_sources::varchar[]) > 0 and list_contains($lone_sources::varchar[], source)
),

spread as (
    select
        source,
        rules,
        rules_hash,
        contract,
        level,
        declarer_position,
        count(*) as matches,
        sum(n * n)::hugeint as nn,
        sum(made * made)::hugeint as made_kk,
        sum(made * n)::hugeint as made_kn,
        sum(capots * capots)::hugeint as capots_kk,
        sum(capots * n)::hugeint as capots_kn
    from match_totals
    group by source, rules, rules_hash, contract, level, declarer_position
)

select * from spread
