-- Question:  what is in the warehouse?
-- Grain:     one row a source and rule set.
-- Caution:   counts deals that count (one copy of each); options of a table make a rule set of their own.
--            Each outcome has a column, and together they are the deals.
with summary as (
    select
        totals.source,
        totals.rules,
        totals.rules_hash,
        totals.matches,
        totals.finished_matches,
        totals.match_deals_mean,
        totals.match_deals_median,
        rule_sets.players as seats,
        rule_sets.side_count as sides,
        rule_sets.pack_size as cards,
        rule_sets.hand_size,
        rule_sets.target,
        totals.deals,
        totals.decided,
        totals.all_pass,
        totals.passed_out,
        totals.declared_out,
        totals.penalties,
        totals.unfinished,
        totals.illegal_deals,
        totals.deals_with_findings,
        totals.findings,
        totals.first_started,
        totals.last_started
    from overview_totals as totals
    left join rule_sets on totals.rules_hash = rule_sets.rules_hash
    order by totals.deals desc, totals.source asc, totals.rules asc, totals.rules_hash asc
)

select * from summary
