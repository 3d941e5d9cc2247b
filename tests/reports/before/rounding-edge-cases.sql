-- Question:  how often does rounding matter, and for which last digits?
-- Grain:     one row a rule set, class of contract, pair of last digits and kind of edge.
-- Caution:   only systems of two sides that round to tens, together or each side alone; undoubled deals
--            made or hanging, without a capot: elsewhere nothing is split.  The limits are parameters: the
--            last digit from which a side alone would round up.
-- Reference: RULES.md section 2; `rounding-edge-deals` lists the deals themselves.
with asked as (
    select
        deals.*,
        rule_sets.rounding
    from deals
    inner join rule_sets on deals.rules_hash = rule_sets.rules_hash
    where
        rule_sets.rounding in ('shared_tens', 'each_alone')
        and ($rules::varchar is null or $rules in (deals.rules, deals.rules_hash))
        and ($source::varchar is null or deals.source = $source)
        and ($match::varchar is null or deals.match = $match)
        and ($player::varchar is null or list_contains(deals.players, $player))
        and ($include_illegal or deals.illegal_cards = 0)
        and deals.level = 1
        and deals.side_count = 2
        and deals.outcome in ('made', 'hanging')
        and deals.capot_side is null
),

with_limit as (
    select
        *,
        case contract_class
            when 'suit' then $suit_limit
            when 'all trumps' then $all_trumps_limit
            else $no_trumps_limit
        end as round_up_from,
        10 * (total_0 - total_1 - score_0 + score_1) as lead_without
    from asked
),

split as (
    select
        *,
        least(points_0, points_1) as low_points,
        greatest(points_0, points_1) as high_points,
        if(points_0 <= points_1, score_0, score_1) as low_score,
        if(points_0 <= points_1, score_1, score_0) as high_score,
        floor((points_0 + 10 - round_up_from) / 10)
        + floor((points_1 + 10 - round_up_from) / 10) as alone_total,
        floor((points_0 + 5) / 10) + floor((points_1 + 5) / 10) as nearest_total,
        floor((points_0 + points_1 + 5) / 10) as whole_total,
        -- a side whose contract hangs writes nothing now, rounded or not
        lead_without
        + if(outcome = 'hanging' and declarer_side = 0, 0, points_0)
        - if(outcome = 'hanging' and declarer_side = 1, 0, points_1) as exact_lead
    from with_limit
),

disputed as (
    select
        source,
        match,
        deal,
        string_agg(distinct code, ' ' order by code) as codes
    from findings
    where code in ('wrong-rounding', 'wrong-score', 'wrong-hanging') and not is_copy
    group by source, match, deal
),

judged as (
    select
        split.rules,
        split.rules_hash,
        split.rounding,
        split.contract_class,
        split.source,
        split.match,
        split.deal,
        split.low_points,
        split.high_points,
        split.low_points % 10 as low_digit,
        split.high_points % 10 as high_digit,
        case
            when split.low_points = split.high_points then 'tie'
            when split.low_points % 10 = split.round_up_from and split.high_points % 10 = split.round_up_from
                then 'contested'
            else 'other'
        end as edge,
        split.low_score,
        split.high_score,
        split.hanging,
        split.alone_total <> split.whole_total as breaks_alone,
        split.nearest_total <> split.whole_total as breaks_nearest,
        coalesce(sign(split.exact_lead) <> sign(split.total_0 - split.total_1), false) as decides_lead,
        split.total_0,
        split.total_1,
        disputed.codes as log_disagrees,
        split.file_name,
        split.line
    from split
    left join disputed
        on split.source = disputed.source and split.match = disputed.match and split.deal = disputed.deal
),

counted as (
    select
        rules,
        rules_hash,
        rounding,
        contract_class,
        low_digit,
        high_digit,
        edge,
        count(*) as deals,
        count_if(low_score * 10 > low_points) as low_rounded_up,
        count_if(high_score * 10 > high_points) as high_rounded_up,
        count_if(breaks_alone) as breaks_alone,
        count_if(breaks_nearest) as breaks_nearest,
        count_if(decides_lead) as decides_lead,
        count(log_disagrees) as log_disagrees,
        arg_min(low_points || '-' || high_points, (source, match, deal)) as example_points,
        arg_min(match || ' / ' || deal, (source, match, deal)) as example_deal
    from judged
    group by rules, rules_hash, rounding, contract_class, low_digit, high_digit, edge
),

with_share as (
    select
        *,
        sum(deals) over (partition by rules_hash, contract_class) as class_deals
    from counted
),

summary as (
    select
        rules,
        rules_hash,
        rounding,
        contract_class,
        low_digit,
        high_digit,
        edge,
        deals,
        class_deals::bigint as class_deals,
        deals / class_deals as share,
        wilson_low(deals, class_deals) as share_low,
        wilson_high(deals, class_deals) as share_high,
        low_rounded_up,
        high_rounded_up,
        breaks_alone,
        breaks_nearest,
        decides_lead,
        log_disagrees,
        example_points,
        example_deal
    from with_share
    order by
        rules asc,
        rules_hash asc,
        contract_class desc,
        case edge when 'contested' then 1 when 'tie' then 2 else 3 end asc,
        low_digit asc,
        high_digit asc
)

select * from summary
