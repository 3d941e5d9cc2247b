-- Question:  how often is a contract made, and what does it pay?
-- Grain:     one row a rule set, contract, level and seat of the declarer from the dealer; the parameters
--            group less.
-- Caution:   made_rate is made / (made + failed + hanging); deals passed out, played after all passed,
--            unfinished, ended by a penalty or by a player who declared himself out are counted beside it.
--            Scores are of the deal alone.  A better declarer picks his contracts: no cause is shown.
-- Reference: intervals in macros/statistics.sql.
with grouped as (
    select
        rules,
        rules_hash,
        if(is_ordered, contract, null) as contract_code,
        contract_at($contracts, contract, is_ordered) as contract,
        if($by_level and is_ordered, level, null) as level,
        if($by_position, declarer_position, null) as declarer_position,
        outcome,
        outcome in ('made', 'failed', 'hanging') as is_decided,
        is_illegal,
        is_capot,
        is_capot_against,
        declarer_points,
        defender_points,
        best_defender_points,
        declarer_score,
        defender_score,
        deals
    from contract_counts
    where $include_illegal or not is_illegal
),

spread as (
    select
        rules_hash,
        contract,
        level,
        declarer_position,
        sum(matches)::bigint as matches,
        sum(nn) as nn,
        sum(made_kk) as made_kk,
        sum(made_kn) as made_kn,
        sum(capots_kk) as capots_kk,
        sum(capots_kn) as capots_kn
    from contract_spread
    group by rules_hash, contract, level, declarer_position
),

measured as (
    select
        rules,
        rules_hash,
        contract,
        level,
        declarer_position,
        measure,
        value,
        sum(deals)::bigint as n
    from grouped
    unpivot (
        value for measure in (
            declarer_points, defender_points, best_defender_points, declarer_score, defender_score
        )
    )
    group by rules, rules_hash, contract, level, declarer_position, measure, value
),

-- the value of the middle deal is the first with half of the deals at or below it
ordered as (
    select
        *,
        2 * sum(n) over (
            partition by rules, rules_hash, contract, level, declarer_position, measure
            order by value
        ) as twice_up_to,
        sum(n) over (partition by rules, rules_hash, contract, level, declarer_position, measure) as total
    from measured
),

averaged as (
    select
        rules,
        rules_hash,
        contract,
        level,
        declarer_position,
        measure,
        sum(value * n) / sum(n) as mean,
        (
            min(value) filter (where twice_up_to >= total) + min(value) filter (where twice_up_to > total)
        ) / 2 as median
    from ordered
    group by rules, rules_hash, contract, level, declarer_position, measure
),

averages as (
    select
        rules,
        rules_hash,
        contract,
        level,
        declarer_position,
        any_value(mean) filter (where measure = 'declarer_points') as declarer_points_mean,
        any_value(median) filter (where measure = 'declarer_points') as declarer_points_median,
        any_value(mean) filter (where measure = 'defender_points') as defender_points_mean,
        any_value(median) filter (where measure = 'defender_points') as defender_points_median,
        any_value(mean) filter (where measure = 'best_defender_points') as best_defender_points_mean,
        any_value(median) filter (where measure = 'best_defender_points') as best_defender_points_median,
        any_value(mean) filter (where measure = 'declarer_score') as declarer_score_mean,
        any_value(median) filter (where measure = 'declarer_score') as declarer_score_median,
        any_value(mean) filter (where measure = 'defender_score') as defender_score_mean,
        any_value(median) filter (where measure = 'defender_score') as defender_score_median
    from averaged
    group by rules, rules_hash, contract, level, declarer_position
),

counted as (
    select
        rules,
        rules_hash,
        contract,
        level,
        declarer_position,
        min(contract_code) as contract_order,
        sum(deals)::bigint as deals,
        coalesce(sum(deals) filter (where is_decided), 0)::bigint as decided,
        coalesce(sum(deals) filter (where outcome = 'made'), 0)::bigint as made,
        coalesce(sum(deals) filter (where outcome = 'failed'), 0)::bigint as failed,
        coalesce(sum(deals) filter (where outcome = 'hanging'), 0)::bigint as hanging,
        coalesce(sum(deals) filter (where outcome = 'passed'), 0)::bigint as passed_out,
        coalesce(sum(deals) filter (where outcome = 'all_pass'), 0)::bigint as all_pass,
        coalesce(sum(deals) filter (where outcome = 'declared_out'), 0)::bigint as declared_out,
        coalesce(sum(deals) filter (where outcome = 'penalty'), 0)::bigint as penalties,
        coalesce(sum(deals) filter (where outcome = 'unfinished'), 0)::bigint as unfinished,
        coalesce(sum(deals) filter (where is_illegal), 0)::bigint as illegal_deals,
        coalesce(sum(deals) filter (where is_capot), 0)::bigint as capots,
        coalesce(sum(deals) filter (where is_capot_against), 0)::bigint as capots_against
    from grouped
    group by rules, rules_hash, contract, level, declarer_position
),

summary as (
    select
        counted.rules,
        counted.rules_hash,
        counted.contract,
        counted.level,
        counted.declarer_position,
        counted.deals,
        counted.decided,
        counted.made,
        counted.made / nullif(counted.decided, 0) as made_rate,
        rate_low(counted.made, counted.decided, spread.matches, spread.made_kk, spread.made_kn, spread.nn)
            as made_low,
        rate_high(counted.made, counted.decided, spread.matches, spread.made_kk, spread.made_kn, spread.nn)
            as made_high,
        counted.failed,
        counted.hanging,
        counted.passed_out,
        counted.all_pass,
        counted.declared_out,
        counted.penalties,
        counted.unfinished,
        averages.declarer_score_mean,
        averages.declarer_score_median,
        averages.defender_score_mean,
        averages.defender_score_median,
        averages.declarer_points_mean,
        averages.declarer_points_median,
        averages.defender_points_mean,
        averages.defender_points_median,
        averages.best_defender_points_mean,
        averages.best_defender_points_median,
        counted.capots,
        counted.capots / nullif(counted.decided, 0) as capot_rate,
        rate_low(
            counted.capots, counted.decided, spread.matches, spread.capots_kk, spread.capots_kn, spread.nn
        ) as capot_low,
        rate_high(
            counted.capots, counted.decided, spread.matches, spread.capots_kk, spread.capots_kn, spread.nn
        ) as capot_high,
        counted.capots_against,
        spread.matches,
        counted.illegal_deals
    from counted
    left join spread
        on
            counted.rules_hash = spread.rules_hash
            and counted.contract = spread.contract
            and counted.level is not distinct from spread.level
            and counted.declarer_position is not distinct from spread.declarer_position
    left join averages
        on
            counted.rules = averages.rules
            and counted.rules_hash = averages.rules_hash
            and counted.contract = averages.contract
            and counted.level is not distinct from averages.level
            and counted.declarer_position is not distinct from averages.declarer_position
    order by
        counted.rules asc,
        counted.rules_hash asc,
        counted.contract_order asc nulls last,
        nullif(counted.level, 0) asc nulls last,
        counted.declarer_position asc
)

select * from summary
