-- Question:  what is in the warehouse?
-- Grain:     one row a source and rule set.
-- Caution:   counts deals that count (one copy of each); options of a table make a rule set of their own.
--            Each outcome has a column, and together they are the deals.
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

of_matches as (
    select
        source,
        rules,
        rules_hash,
        count_if(is_finished) as finished_matches,
        avg(count_deals) filter (where is_finished) as match_deals_mean,
        median(count_deals) filter (where is_finished) as match_deals_median
    from matches
    group by source, rules, rules_hash
),

summary as (
    select
        of_deals.source,
        of_deals.rules,
        of_deals.rules_hash,
        of_deals.matches,
        coalesce(of_matches.finished_matches, 0) as finished_matches,
        of_matches.match_deals_mean,
        of_matches.match_deals_median,
        rule_sets.players as seats,
        rule_sets.side_count as sides,
        rule_sets.pack_size as cards,
        rule_sets.hand_size,
        rule_sets.target,
        of_deals.* exclude (source, rules, rules_hash, matches)
    from of_deals
    left join of_matches
        on
            of_deals.source = of_matches.source
            and of_deals.rules = of_matches.rules
            and of_deals.rules_hash = of_matches.rules_hash
    left join rule_sets on of_deals.rules_hash = rule_sets.rules_hash
    order by of_deals.deals desc, of_deals.source asc, of_deals.rules asc, of_deals.rules_hash asc
)

select * from summary
