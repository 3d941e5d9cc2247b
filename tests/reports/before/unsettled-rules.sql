-- Question:  which findings rest on a rule that the source does not settle?
-- Grain:     one row a rule set, rule and finding code.
-- Caution:   findings on records that do not count because another copy does are not in it.
with found as (
    select
        source,
        match,
        deal,
        code,
        count(*) as findings
    from findings
    where
        not is_copy
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
    group by source, match, deal, code
),

counted as (
    select
        doubts.rules,
        doubts.rules_hash,
        doubts.parameter,
        doubts.code,
        sum(found.findings) as findings,
        any_value(doubts.value) as value,
        any_value(doubts.said) as said
    from doubts
    inner join found
        on
            doubts.source = found.source
            and doubts.match = found.match
            and doubts.deal is not distinct from found.deal
            and doubts.code = found.code
    group by doubts.rules, doubts.rules_hash, doubts.parameter, doubts.code
),

listed as (
    select
        rules,
        rules_hash,
        parameter,
        value,
        code,
        findings,
        said
    from counted
    order by rules asc, rules_hash asc, findings desc, parameter asc, code asc
)

select * from listed
