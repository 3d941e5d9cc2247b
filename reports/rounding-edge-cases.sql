-- Question:  how often does rounding matter, and for which last digits?
-- Grain:     one row a rule set, class of contract, pair of last digits and kind of edge.
-- Caution:   only systems of two sides that round to tens, together or each side alone; undoubled deals
--            made or hanging, without a capot: elsewhere nothing is split.  The limits are parameters: the
--            last digit from which a side alone would round up.
-- Reference: RULES.md section 2; `rounding-edge-deals` lists the deals themselves.
with counted as (
    select
        rules,
        rules_hash,
        rounding,
        contract_class,
        low_digit,
        high_digit,
        edge,
        sum(deals)::bigint as deals,
        sum(low_rounded_up)::bigint as low_rounded_up,
        sum(high_rounded_up)::bigint as high_rounded_up,
        sum(breaking_alone)::bigint as breaks_alone,
        sum(breaking_nearest)::bigint as breaks_nearest,
        coalesce(sum(deals) filter (where decides_lead), 0)::bigint as decides_lead,
        coalesce(sum(deals) filter (where log_disagrees is not null), 0)::bigint as log_disagrees,
        arg_min(low_points || '-' || high_points, (source, first_match, first_deal)) as example_points,
        arg_min(first_match || ' / ' || first_deal, (source, first_match, first_deal)) as example_deal
    from rounding_rows
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
