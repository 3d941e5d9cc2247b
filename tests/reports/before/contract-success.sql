-- Question:  how often is a contract made, and what does it pay?
-- Grain:     one row a rule set, contract, level and seat of the declarer from the dealer; the parameters
--            group less.
-- Caution:   made_rate is made / (made + failed + hanging); deals passed out, played after all passed,
--            unfinished, ended by a penalty or by a player who declared himself out are counted beside it.
--            Scores are of the deal alone.  A better declarer picks his contracts: no cause is shown.
-- Reference: intervals in macros/statistics.sql.
with asked as (
    select *
    from counted_deals
    where
        ($rules::varchar is null or $rules in (rules, rules_hash))
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
        if(declarer is null, null, contract) as contract_code,
        case
            when $contracts = 'all' then 'all'
            when declarer is null then 'none'
            when $contracts = 'class' then contract_class
            else contract_name
        end as contract,
        if($by_level and declarer is not null, level, null) as level,
        if($by_position, declarer_position, null) as declarer_position,
        outcome,
        is_decided,
        outcome = 'made' as is_made,
        coalesce(capot_side = declarer_side, false) as is_capot,
        coalesce(capot_side <> declarer_side, false) as is_capot_against,
        illegal_cards > 0 as is_illegal,
        declarer_points,
        defender_points,
        best_defender_points,
        declarer_score,
        defender_score
    from asked
),

match_totals as (
    select
        rules_hash,
        contract,
        level,
        declarer_position,
        count_if(is_decided) as n,
        count_if(is_made) as made,
        count_if(is_capot and is_decided) as capots
    from grouped
    group by rules_hash, contract, level, declarer_position, source, match
    having count_if(is_decided) > 0
),

spread as (
    select
        rules_hash,
        contract,
        level,
        declarer_position,
        count(*) as matches,
        sum(n * n) as nn,
        sum(made * made) as made_kk,
        sum(made * n) as made_kn,
        sum(capots * capots) as capots_kk,
        sum(capots * n) as capots_kn
    from match_totals
    group by rules_hash, contract, level, declarer_position
),

counted as (
    select
        rules,
        rules_hash,
        contract,
        level,
        declarer_position,
        min(contract_code) as contract_order,
        count(*) as deals,
        count_if(is_decided) as decided,
        count_if(is_made) as made,
        count_if(outcome = 'failed') as failed,
        count_if(outcome = 'hanging') as hanging,
        count_if(outcome = 'passed') as passed_out,
        count_if(outcome = 'all_pass') as all_pass,
        count_if(outcome = 'declared_out') as declared_out,
        count_if(outcome = 'penalty') as penalties,
        count_if(outcome = 'unfinished') as unfinished,
        count_if(is_illegal) as illegal_deals,
        count_if(is_capot and is_decided) as capots,
        count_if(is_capot_against and is_decided) as capots_against,
        avg(declarer_points) filter (where is_decided) as declarer_points_mean,
        median(declarer_points) filter (where is_decided) as declarer_points_median,
        avg(defender_points) filter (where is_decided) as defender_points_mean,
        median(defender_points) filter (where is_decided) as defender_points_median,
        avg(best_defender_points) filter (where is_decided) as best_defender_points_mean,
        median(best_defender_points) filter (where is_decided) as best_defender_points_median,
        avg(declarer_score) filter (where is_decided) as declarer_score_mean,
        median(declarer_score) filter (where is_decided) as declarer_score_median,
        avg(defender_score) filter (where is_decided) as defender_score_mean,
        median(defender_score) filter (where is_decided) as defender_score_median
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
        counted.declarer_score_mean,
        counted.declarer_score_median,
        counted.defender_score_mean,
        counted.defender_score_median,
        counted.declarer_points_mean,
        counted.declarer_points_median,
        counted.defender_points_mean,
        counted.defender_points_median,
        counted.best_defender_points_mean,
        counted.best_defender_points_median,
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
    order by
        counted.rules asc,
        counted.rules_hash asc,
        counted.contract_order asc nulls last,
        nullif(counted.level, 0) asc nulls last,
        counted.declarer_position asc
)

select * from summary
