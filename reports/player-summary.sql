-- Question:  how do players fare?
-- Grain:     one row a source, rule set and player.
-- Caution:   partners share a side's result; opponents differ from player to player: this is no rating.
--            Deals in which the log names no players are not here.
-- Reference: intervals by match, macros/statistics.sql.
with asked as (
    select *
    from seats
    where
        player is not null
        and ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or player = $player)
        and ($include_illegal or illegal_cards = 0)
),

judged as (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        player,
        side,
        is_declarer,
        is_declarer_side,
        level,
        outcome,
        outcome in ('made', 'failed', 'hanging') as is_decided,
        outcome = 'made' and is_declarer as is_made,
        side_score,
        other_score,
        side_score - other_score as net_score
    from asked
),

contras as (
    select
        source,
        match,
        rules_hash,
        player,
        count_if(call_name in ('X', 'X-')) as contras,
        count_if(call_name in ('XX', 'XXX', 'XXXX', 'XXX-')) as recontras
    from calls
    where player is not null
    group by source, match, rules_hash, player
),

match_totals as (
    select
        source,
        match,
        rules,
        rules_hash,
        player,
        arg_max(side, deal) as last_side,
        count(*) as deals,
        count_if(is_decided) as n,
        count_if(is_declarer and is_decided) as declared,
        count_if(is_made) as made,
        coalesce(sum(net_score) filter (where is_decided), 0) as net
    from judged
    group by source, match, rules, rules_hash, player
),

with_match as (
    select
        match_totals.*,
        coalesce(matches.is_finished and matches.winner is not null, false) as is_finished,
        coalesce(matches.is_finished and matches.winner = match_totals.last_side, false) as is_won,
        contras.contras,
        contras.recontras
    from match_totals
    left join matches on match_totals.source = matches.source and match_totals.match = matches.match
    left join contras
        on
            match_totals.source = contras.source
            and match_totals.match = contras.match
            and match_totals.rules_hash = contras.rules_hash
            and match_totals.player = contras.player
),

spread as (
    select
        source,
        rules,
        rules_hash,
        player,
        count(*) as matches,
        count_if(is_finished) as finished,
        count_if(is_won) as won,
        sum(contras)::bigint as contras,
        sum(recontras)::bigint as recontras,
        count_if(declared > 0) as declared_matches,
        sum(declared)::bigint as declared,
        sum(made)::bigint as made,
        sum(made * made) as made_kk,
        sum(made * declared) as made_kn,
        sum(declared * declared) as declared_nn,
        count_if(n > 0) as decided_matches,
        sum(n)::bigint as decided,
        sum(net)::bigint as net,
        sum(net * net) as net_kk,
        sum(net * n) as net_kn,
        sum(n * n) as nn
    from with_match
    group by source, rules, rules_hash, player
),

counted as (
    select
        source,
        rules,
        rules_hash,
        player,
        count(*) as deals,
        count_if(outcome = 'passed') as passed_out,
        count_if(outcome in ('unfinished', 'penalty')) as without_result,
        count_if(is_declarer and outcome = 'failed') as failed,
        count_if(is_declarer and outcome = 'hanging') as hanging,
        count_if(is_decided and level <> 1) as doubled_deals,
        avg(side_score) filter (where is_decided) as score_mean,
        median(side_score) filter (where is_decided) as score_median,
        median(net_score) filter (where is_decided) as net_median
    from judged
    group by source, rules, rules_hash, player
),

summary as (
    select
        counted.source,
        counted.rules,
        counted.rules_hash,
        counted.player,
        counted.deals,
        spread.decided,
        counted.passed_out,
        counted.without_result,
        spread.declared,
        spread.made,
        counted.failed,
        counted.hanging,
        spread.made / nullif(spread.declared, 0) as made_rate,
        rate_low(
            spread.made,
            spread.declared,
            spread.declared_matches,
            spread.made_kk,
            spread.made_kn,
            spread.declared_nn
        ) as made_low,
        rate_high(
            spread.made,
            spread.declared,
            spread.declared_matches,
            spread.made_kk,
            spread.made_kn,
            spread.declared_nn
        ) as made_high,
        spread.contras,
        spread.recontras,
        counted.doubled_deals,
        spread.net / nullif(spread.decided, 0) as net_mean,
        spread.net / nullif(spread.decided, 0) - mean_half(
            spread.net, spread.decided, spread.decided_matches, spread.net_kk, spread.net_kn, spread.nn
        ) as net_low,
        spread.net / nullif(spread.decided, 0) + mean_half(
            spread.net, spread.decided, spread.decided_matches, spread.net_kk, spread.net_kn, spread.nn
        ) as net_high,
        counted.net_median,
        counted.score_mean,
        counted.score_median,
        spread.matches,
        spread.finished,
        spread.won,
        spread.won / nullif(spread.finished, 0) as won_rate,
        wilson_low(spread.won, spread.finished) as won_low,
        wilson_high(spread.won, spread.finished) as won_high
    from counted
    inner join spread
        on
            counted.source = spread.source
            and counted.rules_hash = spread.rules_hash
            and counted.rules = spread.rules
            and counted.player = spread.player
    where counted.deals >= $min_deals
    order by
        counted.rules asc,
        counted.rules_hash asc,
        counted.deals desc,
        counted.source asc,
        counted.player asc
)

select * from summary
