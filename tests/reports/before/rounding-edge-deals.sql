-- Question:  in which deals does rounding matter?
-- Grain:     one row a deal of a system of two sides that round to tens: undoubled, made or hanging, without
--            a capot.
-- Caution:   edge is contested (both sides stand at the limit and only one can go up), tie, or other. The
--            limits are parameters: the last digit from which a side alone would round up, by class of
--            contract.
-- Reference: RULES.md section 2.
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

chosen as (
    select *
    from judged
    where not $only_edges or edge <> 'other' or decides_lead or log_disagrees is not null
    order by rules, rules_hash, source, match, deal
)

select * from chosen
