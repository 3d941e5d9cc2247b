-- Question:  how good must the first cards be for a contract?
-- Grain:     one row a rule set, class of contract and strength of the hand that the declarer bid on.
-- Caution:   the cards are those held during the auction, with the turned-up card where the declarer took
--            it into his hand; partner's hand, the rest of the deal and the play are in the result too.
--            Players bid on more than these features, and the hands they passed are not here.  Net is the
--            declarer's score less the average of the other sides'.
-- Reference: intervals in macros/statistics.sql.
-- a feature not asked for is null in every row; rows of the same strength are equal, nulls included
with grouped as (
    select
        rules,
        rules_hash,
        contract_class,
        {
            'trump_count': if($by_trumps, trump_count, null),
            'jack_count': if($by_jacks_and_nines, jack_count, null),
            'nine_count': if($by_jacks_and_nines, nine_count, null),
            'ace_count': if($by_aces, ace_count, null),
            'has_belote': if($by_belote, has_belote, null),
            'has_declaration': if($by_declaration, has_declaration, null)
        } as strength,
        is_made,
        declarer_points::double as declarer_points,
        net_score::double as net_score,
        deals
    from hand_counts
    where $include_illegal or not is_illegal
),

spread as (
    select
        rules_hash,
        contract_class,
        {
            'trump_count': trump_count,
            'jack_count': jack_count,
            'nine_count': nine_count,
            'ace_count': ace_count,
            'has_belote': has_belote,
            'has_declaration': has_declaration
        } as strength,
        sum(matches)::bigint as matches,
        sum(nn) as nn,
        sum(made_kk) as made_kk,
        sum(made_kn) as made_kn,
        sum(net) as net,
        sum(net_kk) as net_kk,
        sum(net_kn) as net_kn
    from hand_spread
    group by rules_hash, contract_class, strength
),

measured as (
    select
        rules,
        rules_hash,
        contract_class,
        strength,
        measure,
        value,
        sum(deals)::bigint as n
    from grouped
    unpivot (value for measure in (declarer_points, net_score))
    group by rules, rules_hash, contract_class, strength, measure, value
),

-- the value of the middle deal is the first with half of the deals at or below it
ordered as (
    select
        *,
        2 * sum(n) over (
            partition by rules, rules_hash, contract_class, strength, measure
            order by value
        ) as twice_up_to,
        sum(n) over (partition by rules, rules_hash, contract_class, strength, measure) as total
    from measured
),

averaged as (
    select
        rules,
        rules_hash,
        contract_class,
        strength,
        measure,
        sum(value * n) / sum(n) as mean,
        (
            min(value) filter (where twice_up_to >= total) + min(value) filter (where twice_up_to > total)
        ) / 2 as median
    from ordered
    group by rules, rules_hash, contract_class, strength, measure
),

averages as (
    select
        rules,
        rules_hash,
        contract_class,
        strength,
        any_value(median) filter (where measure = 'net_score') as net_median,
        any_value(mean) filter (where measure = 'declarer_points') as declarer_points_mean,
        any_value(median) filter (where measure = 'declarer_points') as declarer_points_median
    from averaged
    group by rules, rules_hash, contract_class, strength
),

counted as (
    select
        rules,
        rules_hash,
        contract_class,
        strength,
        sum(deals)::bigint as deals,
        coalesce(sum(deals) filter (where is_made), 0)::bigint as made
    from grouped
    group by rules, rules_hash, contract_class, strength
),

summary as (
    select
        counted.rules,
        counted.rules_hash,
        counted.contract_class,
        counted.strength['trump_count'] as trump_count,
        counted.strength['jack_count'] as jack_count,
        counted.strength['nine_count'] as nine_count,
        counted.strength['ace_count'] as ace_count,
        counted.strength['has_belote'] as has_belote,
        counted.strength['has_declaration'] as has_declaration,
        counted.deals,
        counted.made,
        counted.made / counted.deals as made_rate,
        rate_low(counted.made, counted.deals, spread.matches, spread.made_kk, spread.made_kn, spread.nn)
            as made_low,
        rate_high(counted.made, counted.deals, spread.matches, spread.made_kk, spread.made_kn, spread.nn)
            as made_high,
        spread.net / counted.deals as net_mean,
        spread.net / counted.deals - mean_half(
            spread.net, counted.deals, spread.matches, spread.net_kk, spread.net_kn, spread.nn
        ) as net_low,
        spread.net / counted.deals + mean_half(
            spread.net, counted.deals, spread.matches, spread.net_kk, spread.net_kn, spread.nn
        ) as net_high,
        averages.net_median,
        averages.declarer_points_mean,
        averages.declarer_points_median,
        spread.matches
    from counted
    inner join spread
        on
            counted.rules_hash = spread.rules_hash
            and counted.contract_class = spread.contract_class
            and counted.strength = spread.strength
    left join averages
        on
            counted.rules = averages.rules
            and counted.rules_hash = averages.rules_hash
            and counted.contract_class = averages.contract_class
            and counted.strength = averages.strength
    where counted.deals >= $min_deals
    order by counted.rules asc, counted.rules_hash asc, counted.contract_class desc, counted.strength asc
)

select * from summary
