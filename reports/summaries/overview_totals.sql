-- Question:  what is in the warehouse?
-- Grain:     one row a source and rule set that deals were played by.
-- Caution:   in lone sources every match is of one deal, and needs no counting.
with asked as not materialized (
    select
        *,
        list_contains($lone_sources::varchar[], source) as is_lone
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
        count(*) as deals,
        count_if(is_decided) as decided,
        count_if(outcome = 'all_pass') as all_pass,
        count_if(outcome = 'passed') as passed_out,
        count_if(outcome = 'declared_out') as declared_out,
        count_if(outcome = 'penalty') as penalties,
        count_if(outcome = 'unfinished') as unfinished,
        count_if(illegal_cards > 0) as illegal_deals,
        count_if(finding_count > 0) as deals_with_findings,
        sum(finding_count)::bigint as findings,
        min(started_at) as first_started,
        max(started_at) as last_started
    from asked
    group by source, rules, rules_hash
),

played as (
    select distinct
        source,
        match,
        rules,
        rules_hash
    from asked
    where $has_matches and not is_lone
),

match_counts as (
    select
        source,
        rules,
        rules_hash,
        count(*) as matches
    from played
    group by source, rules, rules_hash
    union all
    select
        source,
        rules,
        rules_hash,
        deals as matches
    from of_deals
    where list_contains($lone_sources::varchar[], source)
),

lengths as (
    select
        source,
        rules,
        rules_hash,
        is_finished,
        count_deals,
        count(*) as n
    from matches
    group by source, rules, rules_hash, is_finished, count_deals
),

-- the length of the middle match is the first with half of the finished matches at or below it
ordered as (
    select
        *,
        2 * sum(n) over (
            partition by source, rules, rules_hash
            order by count_deals
        ) as twice_up_to,
        sum(n) over (partition by source, rules, rules_hash) as total
    from lengths
    where is_finished
),

of_matches as (
    select
        source,
        rules,
        rules_hash,
        sum(n)::bigint as finished_matches,
        sum(count_deals * n) / sum(n) as match_deals_mean,
        (
            min(count_deals) filter (where twice_up_to >= total)
            + min(count_deals) filter (where twice_up_to > total)
        ) / 2 as match_deals_median
    from ordered
    group by source, rules, rules_hash
),

totals as (
    select
        of_deals.*,
        match_counts.matches,
        coalesce(of_matches.finished_matches, 0) as finished_matches,
        of_matches.match_deals_mean,
        of_matches.match_deals_median
    from of_deals
    left join match_counts
        on
            of_deals.source = match_counts.source
            and of_deals.rules = match_counts.rules
            and of_deals.rules_hash = match_counts.rules_hash
    left join of_matches
        on
            of_deals.source = of_matches.source
            and of_deals.rules = of_matches.rules
            and of_deals.rules_hash = of_matches.rules_hash
)

select * from totals
