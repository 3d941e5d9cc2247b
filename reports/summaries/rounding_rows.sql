-- Question:  in which deals does rounding matter, and how do the others round?
-- Grain:     one row a deal in which it matters ($only_edges), and one row for all others of a source, rule
--            set, class of contract and pair of last digits.
-- Caution:   only systems of two sides that round to tens, together or each side alone; undoubled deals
--            made or hanging, without a capot: elsewhere nothing is split.  The limits are parameters: the
--            last digit from which a side alone would round up.  first_match and first_deal are the first of
--            a row; match and deal are null where a row is of several deals.
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
    where code in ('wrong-rounding', 'wrong-score', 'wrong-hanging') and not is_copy and deal is not null
    group by source, match, deal
),

judged as not materialized (
    select
        *,
        low_points % 10 as low_digit,
        high_points % 10 as high_digit,
        case
            when low_points = high_points then 'tie'
            when low_points % 10 = round_up_from and high_points % 10 = round_up_from then 'contested'
            else 'other'
        end as edge,
        alone_total <> whole_total as breaks_alone,
        nearest_total <> whole_total as breaks_nearest,
        coalesce(sign(exact_lead) <> sign(total_0 - total_1), false) as decides_lead,
        (source, match, deal) in (select (source, match, deal) from disputed) as is_disputed
    from split
),

marked as materialized (
    select
        source,
        match,
        deal,
        rules,
        rules_hash,
        rounding,
        contract_class,
        low_points,
        high_points,
        low_digit,
        high_digit,
        edge,
        low_score,
        high_score,
        hanging,
        breaks_alone,
        breaks_nearest,
        decides_lead,
        total_0,
        total_1,
        part,
        part_line,
        not $only_edges or edge <> 'other' or decides_lead or is_disputed as is_listed
    from judged
),

listed as (
    select
        marked.* exclude (is_listed),
        disputed.codes as log_disagrees,
        marked.match as first_match,
        marked.deal as first_deal,
        1 as deals,
        (marked.low_score * 10 > marked.low_points)::integer as low_rounded_up,
        (marked.high_score * 10 > marked.high_points)::integer as high_rounded_up,
        marked.breaks_alone::integer as breaking_alone,
        marked.breaks_nearest::integer as breaking_nearest
    from marked
    left join disputed
        on marked.source = disputed.source and marked.match = disputed.match and marked.deal = disputed.deal
    where marked.is_listed
),

others as (
    select
        source,
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
        count_if(breaks_alone) as breaking_alone,
        count_if(breaks_nearest) as breaking_nearest,
        false as decides_lead,
        -- where every match is of one deal, the first match says it, and structs are slow to compare
        if(
            $has_matches,
            min({ 'match': match, 'deal': deal, 'low_points': low_points, 'high_points': high_points }),
            arg_min(
                { 'match': match, 'deal': deal, 'low_points': low_points, 'high_points': high_points }, match
            )
        ) as first
    from marked
    where not is_listed
    group by source, rules, rules_hash, rounding, contract_class, low_digit, high_digit, edge
),

united as (
    select * from listed
    union all by name
    select
        * exclude (first),
        first['match'] as first_match,
        first['deal'] as first_deal,
        first['low_points'] as low_points,
        first['high_points'] as high_points
    from others
    order by rules, rules_hash, source, match, deal
)

select * from united
