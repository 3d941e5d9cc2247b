-- Question:  how do players fare?
-- Grain:     one row a source, rule set and player.
-- Caution:   partners share a side's result; opponents differ from player to player: this is no rating.
--            Where nobody has a partner every player is a side.  Net is the side's score less the average of
--            the other sides'.  Deals in which the log names no players are not here.
-- Reference: intervals by match, macros/statistics.sql.
with asked as (
    select
        *,
        unnest(generate_series(0, seat_count - 1)) as seat
    from counted_deals
    where
        players is not null
        and ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or list_contains(players, $player))
        and ($include_illegal or illegal_cards = 0)
),

seated as (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        players[seat + 1] as player,
        (seat % side_count)::integer as side,
        side_count,
        coalesce(seat = declarer, false) as is_declarer,
        level,
        outcome,
        is_decided,
        is_scored,
        outcome = 'made' and coalesce(seat = declarer, false) as is_made,
        case seat % side_count when 0 then score_0 when 1 then score_1 else score_2 end as side_score,
        score_0 + score_1 + coalesce(score_2, 0) as all_scores
    from asked
),

judged as (
    select
        *,
        side_score - (all_scores - side_score) / (side_count - 1) as net_score
    from seated
    where $player::varchar is null or player = $player
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
        count_if(is_scored) as n,
        count_if(is_declarer and is_decided) as declared,
        count_if(is_made) as made,
        coalesce(sum(net_score) filter (where is_scored), 0) as net
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
        count_if(n > 0) as scored_matches,
        sum(n)::bigint as scored,
        sum(net) as net,
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
        any_value(side_count) as sides,
        count_if(is_decided) as decided,
        count_if(outcome = 'all_pass') as all_pass,
        count_if(outcome = 'penalty') as penalties,
        count_if(outcome = 'passed') as passed_out,
        count_if(outcome = 'declared_out') as declared_out,
        count_if(outcome = 'unfinished') as unfinished,
        count_if(is_declarer and outcome = 'failed') as failed,
        count_if(is_declarer and outcome = 'hanging') as hanging,
        count_if(is_decided and level <> 1) as doubled_deals,
        avg(side_score) filter (where is_scored) as score_mean,
        median(side_score) filter (where is_scored) as score_median,
        median(net_score) filter (where is_scored) as net_median
    from judged
    group by source, rules, rules_hash, player
),

summary as (
    select
        counted.source,
        counted.rules,
        counted.rules_hash,
        counted.player,
        counted.sides,
        counted.deals,
        spread.scored,
        counted.decided,
        counted.all_pass,
        counted.penalties,
        counted.passed_out,
        counted.declared_out,
        counted.unfinished,
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
        spread.net / nullif(spread.scored, 0) as net_mean,
        spread.net / nullif(spread.scored, 0) - mean_half(
            spread.net, spread.scored, spread.scored_matches, spread.net_kk, spread.net_kn, spread.nn
        ) as net_low,
        spread.net / nullif(spread.scored, 0) + mean_half(
            spread.net, spread.scored, spread.scored_matches, spread.net_kk, spread.net_kn, spread.nn
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
