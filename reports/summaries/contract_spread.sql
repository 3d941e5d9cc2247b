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
        contract_at($contracts, contract, declarer is not null) as contract,
        if($by_level and declarer is not null, level, null) as level,
        if($by_position, declarer_position, null) as declarer_position,
        (outcome = 'made')::integer as made,
        coalesce(capot_side = declarer_side, false)::integer as capots
    from asked
),

match_totals as (
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
),

lone_grouped as (
    select
        *,
        contract_at($contracts, contract, is_ordered) as contract_name,
        if($by_level and is_ordered, level, null) as level_shown,
        if($by_position, declarer_position, null) as position_shown
    from contract_counts
    where
        outcome in ('made', 'failed', 'hanging')
        and list_contains($lone_sources::varchar[], source)
        and ($include_illegal or not is_illegal)
),

lone_spread as (
    select
        source,
        rules,
        rules_hash,
        contract_name as contract,
        level_shown as level,
        position_shown as declarer_position,
        sum(deals)::bigint as matches,
        sum(deals)::hugeint as nn,
        coalesce(sum(deals) filter (where outcome = 'made'), 0)::hugeint as made_kk,
        made_kk as made_kn,
        coalesce(sum(deals) filter (where is_capot), 0)::hugeint as capots_kk,
        capots_kk as capots_kn
    from lone_grouped
    group by source, rules, rules_hash, contract_name, level_shown, position_shown
),

united as (
    select * from spread
    union all by name
    select * from lone_spread
)

select * from united
