-- Question:  what is in the warehouse?
-- Grain:     one row a source and rule set.
-- Caution:   counts deals that count (one copy of each); options of a table make a rule set of their own.
with asked as (
    select *
    from counted_deals
    where
        ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
),

of_deals as (
    select
        source,
        rules,
        rules_hash,
        count(distinct match) as matches,
        count(*) as deals,
        count_if(outcome in ('made', 'failed', 'hanging')) as decided,
        count_if(outcome = 'passed') as passed_out,
        count_if(outcome not in ('made', 'failed', 'hanging', 'passed')) as without_result,
        count_if(illegal_cards > 0) as illegal_deals,
        count_if(finding_count > 0) as deals_with_findings,
        sum(finding_count)::bigint as findings,
        min(started_at) as first_started,
        max(started_at) as last_started
    from asked
    group by source, rules, rules_hash
),

of_matches as (
    select
        source,
        rules_hash,
        count_if(is_finished) as finished_matches
    from matches
    group by source, rules_hash
),

summary as (
    select
        of_deals.source,
        of_deals.rules,
        of_deals.rules_hash,
        of_deals.matches,
        coalesce(of_matches.finished_matches, 0) as finished_matches,
        of_deals.* exclude (source, rules, rules_hash, matches)
    from of_deals
    left join of_matches
        on of_deals.source = of_matches.source and of_deals.rules_hash = of_matches.rules_hash
    order by of_deals.deals desc, of_deals.source asc, of_deals.rules asc, of_deals.rules_hash asc
)

select * from summary
