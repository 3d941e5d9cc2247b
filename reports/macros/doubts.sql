-- Question:  which findings rest on a rule that the source does not settle?
-- Grain:     one row a deal (or match: deal null) with a finding, its code, and a rule that it rests on.
-- Caution:   of presets only; a rule that the table set itself, by options or otherwise, is no doubt of the
--            source.  Circumstances are the words of belot_stats/doubts.py.
with found as (
    select distinct
        source,
        match,
        deal,
        code
    from findings
    where
        match is not null
        and code in (select finding_dependencies.code from finding_dependencies)
),

in_match as (
    select
        counted_deals.source,
        counted_deals.match,
        min(counted_deals.rules_hash) as rules_hash,
        list_distinct(flatten(list(coalesce(json_keys(counted_deals.options), [])))) as settled,
        [
            'always',
            if(bool_or(counted_deals.capot_side is not null), 'capot in the match', null),
            if(bool_or(counted_deals.hanging > 0), 'points hung in the match', null)
        ] as circumstances
    from counted_deals
    semi join found
        on
            counted_deals.source = found.source
            and counted_deals.match = found.match
    group by counted_deals.source, counted_deals.match
),

named as (
    select distinct
        source,
        match,
        deal
    from found
    where deal is not null
),

standings as (
    select
        standings.source,
        standings.match,
        standings.deal,
        standings.hanging_in
    from raw_standings as standings
    semi join named
        on
            standings.source = named.source
            and standings.match = named.match
),

in_order as (
    select
        source,
        match,
        deal,
        hanging_in,
        hanging_in > lag(hanging_in) over (
            partition by source, match
            order by deal
        ) and lag(hanging_in) over (
            partition by source, match
            order by deal
        ) > 0 as is_hung_again
    from standings
),

described as (
    select
        dealt.*,
        in_match.circumstances as match_circumstances,
        coalesce(in_order.hanging_in, 0) > 0 or coalesce(dealt.hanging, 0) > 0 as is_hung,
        coalesce(in_order.is_hung_again, false) as is_hung_again,
        len(list_filter(dealt.declaration_results, lambda said: said['kind'] is not null)) > 0 as is_declared,
        len(dealt.belote_results) > 0 as is_belote,
        len(list_filter(dealt.declaration_results, lambda said: said['kind'] = 'carre')) as count_carres,
        len(list_filter(dealt.declaration_results, lambda said: said['kind'] <> 'carre')) as count_sequences,
        len(
            list_filter(
                dealt.declaration_results,
                lambda said: said['kind'] = 'quinte' and coalesce(bit_count(said['cards']), 6) > 5
            )
        ) as count_long_runs,
        list_contains(dealt.tricks_won, 0) as is_trickless,
        dealt.capot_side is not null as is_capot,
        coalesce(dealt.level, 1) <> 1 as is_doubled
    from counted_deals as dealt
    semi join named
        on
            dealt.source = named.source
            and dealt.match = named.match
            and dealt.deal = named.deal
    inner join in_match
        on
            dealt.source = in_match.source
            and dealt.match = in_match.match
    left join in_order
        on
            dealt.source = in_order.source
            and dealt.match = in_order.match
            and dealt.deal = in_order.deal
),

of_deals as (
    select
        source,
        match,
        deal,
        rules_hash,
        coalesce(json_keys(options), []) as settled,
        match_circumstances || [
            if(contract < 4, 'suit', null),
            if(contract = 4, 'no trumps', null),
            if(contract = 5, 'all trumps', null),
            if(contract = 5 and coalesce(level, 1) > 2, 'redoubled all trumps', null),
            if(is_doubled, 'doubled', null),
            if(is_capot, 'capot', null),
            if(is_capot and contract = 4, 'capot at no trumps', null),
            if(is_capot and is_doubled, 'doubled capot', null),
            if(outcome = 'failed', 'failed', null),
            if(outcome = 'failed' or is_trickless, 'failed or trickless', null),
            if(outcome = 'hanging' or points_0 = points_1, 'tie', null),
            if(outcome in ('passed', 'all_pass'), 'all passed', null),
            if(is_hung, 'points hung', null),
            if(is_hung_again, 'several hung', null),
            if(is_declared, 'declared', null),
            if(is_declared and is_trickless, 'declared, trickless', null),
            if(count_carres > 0, 'carré', null),
            if(count_carres > 1, 'several carrés', null),
            if(count_sequences > 1, 'several sequences', null),
            if(count_carres > 0 and count_sequences > 0, 'carré and sequence', null),
            if(count_long_runs > 0, 'long run', null),
            if(is_belote, 'belote', null),
            if(is_belote and contract = 5, 'belote at all trumps', null),
            if(is_belote and is_declared, 'belote, declared', null),
            if(is_belote and is_trickless, 'belote, trickless', null),
            if(is_belote and outcome = 'failed', 'belote, failed', null),
            if(illegal_cards > 0, 'illegal card', null),
            if("end" = 'claimed', 'claimed', null),
            if("end" = 'declared_out', 'declared out', null),
            if(exchange_seat is not null, 'exchange', null)
        ] as circumstances
    from described
),

of_matches as (
    select
        source,
        match,
        null as deal,
        rules_hash,
        settled,
        circumstances
    from in_match
),

placed as (
    select * from of_deals
    union all by name
    select * from of_matches
),

in_doubt as (
    select
        found.source,
        found.match,
        found.deal,
        found.code,
        rule_sets.rules,
        placed.rules_hash,
        unsettled_rules.parameter,
        unsettled_rules.value,
        unsettled_rules.said,
        unsettled_rules.doubt
    from found
    inner join placed
        on
            found.source = placed.source
            and found.match = placed.match
            and found.deal is not distinct from placed.deal
    inner join rule_sets on placed.rules_hash = rule_sets.rules_hash
    inner join finding_dependencies
        on
            found.code = finding_dependencies.code
            and list_contains(placed.circumstances, finding_dependencies.circumstance)
    inner join unsettled_rules
        on
            rule_sets.rules = unsettled_rules.rules
            and finding_dependencies.parameter = unsettled_rules.parameter
            and not list_contains(placed.settled, unsettled_rules.parameter)
            and json_extract(rule_sets.parameters, '$.' || unsettled_rules.parameter)
            = json(unsettled_rules.value)
)

select * from in_doubt
