-- Question:  how do players fare?
-- Grain:     one row a source, rule set and player.
-- Caution:   sums over matches of what the intervals in macros/statistics.sql need.  In lone sources every
--            match is of one deal: there, deals that went the same way are counted together, and times says
--            how many they are.  Contras are those of the whole match, deals with illegal cards included.
with asked as not materialized (
    select
        *,
        $include_illegal or illegal_cards = 0 as is_asked,
        least(len(auction), seat_count) as call_count,
        -- 7, 12: contra; 8, 9, 10, 13: recontra and higher
        if(list_has_any(auction, [7, 8, 9, 10, 12, 13]), auction, null) as doubled_auction,
        list_contains($lone_sources::varchar[], source) as is_lone
    from counted_deals
    where
        players is not null
        and ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or list_contains(players, $player))
),

patterns as (
    select
        source,
        rules,
        rules_hash,
        players,
        seat_count,
        side_count,
        dealer,
        declarer,
        level,
        outcome,
        is_decided,
        is_scored,
        is_asked,
        score_0,
        score_1,
        score_2,
        call_count,
        doubled_auction,
        count(*) as times
    from asked
    where len($lone_sources::varchar[]) > 0 and is_lone
    group by all
),

units as not materialized (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        players,
        seat_count,
        side_count,
        dealer,
        declarer,
        level,
        outcome,
        is_decided,
        is_scored,
        is_asked,
        score_0,
        score_1,
        score_2,
        call_count,
        doubled_auction,
        1 as times,
        null as pattern
    from asked
    where $has_matches and not is_lone
    union all by name
    select
        *,
        row_number() over () as pattern
    from patterns
),

seated as not materialized (
    select
        *,
        unnest(generate_series(0, seat_count - 1)) as seat
    from units
),

judged as not materialized (
    select
        source,
        match,
        pattern,
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
        is_asked,
        case seat % side_count when 0 then score_0 when 1 then score_1 else score_2 end as side_score,
        score_0 + score_1 + coalesce(score_2, 0) as all_scores,
        (seat - dealer - 1 + seat_count) % seat_count < call_count as is_caller,
        list_slice(
            doubled_auction,
            (seat - dealer - 1 + seat_count) % seat_count + 1,
            len(doubled_auction),
            seat_count
        ) as calls,
        times
    from seated
    where players[seat + 1] is not null and ($player::varchar is null or players[seat + 1] = $player)
),

netted as not materialized (
    select
        *,
        side_score - (all_scores - side_score) / (side_count - 1) as net_score
    from judged
),

match_totals as (
    select
        source,
        match,
        pattern,
        rules,
        rules_hash,
        player,
        times,
        arg_max(side, deal) as last_side,
        count_if(is_asked and is_scored) as n,
        count_if(is_asked and is_declarer and is_decided) as declared,
        count_if(is_asked and is_declarer and outcome = 'made') as made,
        coalesce(sum(net_score) filter (where is_asked and is_scored), 0) as net,
        sum(if(is_caller, coalesce(len(list_filter(calls, lambda call: call in (7, 12))), 0), null))
            as contras,
        sum(if(is_caller, coalesce(len(list_filter(calls, lambda call: call in (8, 9, 10, 13))), 0), null))
            as recontras
    from netted
    group by source, match, pattern, rules, rules_hash, player, times
    having count_if(is_asked) > 0
),

with_match as (
    select
        match_totals.*,
        coalesce(matches.is_finished and matches.winner is not null, false) as is_finished,
        coalesce(matches.is_finished and matches.winner = match_totals.last_side, false) as is_won
    from match_totals
    left join matches on match_totals.source = matches.source and match_totals.match = matches.match
),

spread as (
    select
        source,
        rules,
        rules_hash,
        player,
        sum(times)::bigint as matches,
        count_if(is_finished) as finished,
        count_if(is_won) as won,
        sum(times * contras)::bigint as contras,
        sum(times * recontras)::bigint as recontras,
        coalesce(sum(times) filter (where declared > 0), 0)::bigint as declared_matches,
        sum(times * declared)::bigint as declared,
        sum(times * made)::bigint as made,
        sum(times * made * made)::hugeint as made_kk,
        sum(times * made * declared)::hugeint as made_kn,
        sum(times * declared * declared)::hugeint as declared_nn,
        coalesce(sum(times) filter (where n > 0), 0)::bigint as scored_matches,
        sum(times * n)::bigint as scored,
        sum(times * net) as net,
        sum(times * net * net) as net_kk,
        sum(times * net * n) as net_kn,
        sum(times * n * n)::hugeint as nn
    from with_match
    group by source, rules, rules_hash, player
),

-- finished matches of lone sources
lone_results as (
    select
        source,
        rules,
        rules_hash,
        players,
        side_count,
        winner,
        count(*) as times
    from matches
    where
        len($lone_sources::varchar[]) > 0
        and list_contains($lone_sources::varchar[], source)
        and is_finished
        and winner is not null
    group by all
),

lone_players as (
    select
        *,
        unnest(players) as player,
        (generate_subscripts(players, 1) - 1) % side_count as side
    from lone_results
),

lone_wins as (
    select
        source,
        rules,
        rules_hash,
        player,
        sum(times)::bigint as finished,
        coalesce(sum(times) filter (where side = winner), 0)::bigint as won
    from lone_players
    group by source, rules, rules_hash, player
),

results as (
    select
        source,
        rules,
        rules_hash,
        player,
        side_count,
        outcome,
        is_decided,
        is_declarer,
        is_decided and level <> 1 as is_doubled,
        if(is_scored, side_score, null)::double as side_score,
        if(is_scored, net_score, null)::double as net_score,
        sum(times)::bigint as n
    from netted
    where is_asked
    group by all
),

counted as (
    select
        source,
        rules,
        rules_hash,
        player,
        any_value(side_count) as sides,
        sum(n)::bigint as deals,
        coalesce(sum(n) filter (where is_decided), 0)::bigint as decided,
        coalesce(sum(n) filter (where outcome = 'all_pass'), 0)::bigint as all_pass,
        coalesce(sum(n) filter (where outcome = 'penalty'), 0)::bigint as penalties,
        coalesce(sum(n) filter (where outcome = 'passed'), 0)::bigint as passed_out,
        coalesce(sum(n) filter (where outcome = 'declared_out'), 0)::bigint as declared_out,
        coalesce(sum(n) filter (where outcome = 'unfinished'), 0)::bigint as unfinished,
        coalesce(sum(n) filter (where is_declarer and outcome = 'failed'), 0)::bigint as failed,
        coalesce(sum(n) filter (where is_declarer and outcome = 'hanging'), 0)::bigint as hanging,
        coalesce(sum(n) filter (where is_doubled), 0)::bigint as doubled_deals
    from results
    group by source, rules, rules_hash, player
),

measured as (
    select
        source,
        rules,
        rules_hash,
        player,
        measure,
        value,
        sum(n)::bigint as n
    from results
    unpivot (value for measure in (side_score, net_score))
    group by source, rules, rules_hash, player, measure, value
),

-- the value of the middle deal is the first with half of the deals at or below it
ordered as (
    select
        *,
        2 * sum(n) over (
            partition by source, rules, rules_hash, player, measure
            order by value
        ) as twice_up_to,
        sum(n) over (partition by source, rules, rules_hash, player, measure) as total
    from measured
),

averages as (
    select
        source,
        rules,
        rules_hash,
        player,
        sum(value * n) filter (where measure = 'side_score')
        / sum(n) filter (where measure = 'side_score') as score_mean,
        (
            min(value) filter (where measure = 'side_score' and twice_up_to >= total)
            + min(value) filter (where measure = 'side_score' and twice_up_to > total)
        ) / 2 as score_median,
        (
            min(value) filter (where measure = 'net_score' and twice_up_to >= total)
            + min(value) filter (where measure = 'net_score' and twice_up_to > total)
        ) / 2 as net_median
    from ordered
    group by source, rules, rules_hash, player
),

totals as (
    select
        counted.*,
        averages.score_mean,
        averages.score_median,
        averages.net_median,
        spread.* exclude (source, rules, rules_hash, player, finished, won),
        spread.finished + coalesce(lone_wins.finished, 0) as finished,
        spread.won + coalesce(lone_wins.won, 0) as won
    from counted
    inner join spread
        on
            counted.source = spread.source
            and counted.rules = spread.rules
            and counted.rules_hash = spread.rules_hash
            and counted.player = spread.player
    left join averages
        on
            counted.source = averages.source
            and counted.rules = averages.rules
            and counted.rules_hash = averages.rules_hash
            and counted.player = averages.player
    left join lone_wins
        on
            counted.source = lone_wins.source
            and counted.rules = lone_wins.rules
            and counted.rules_hash = lone_wins.rules_hash
            and counted.player = lone_wins.player
)

select * from totals
