-- Question:  in which deals does rounding matter?
-- Grain:     one row a deal of a system of two sides that round to tens: undoubled, made or hanging, without
--            a capot.
-- Caution:   edge is contested (both sides stand at the limit and only one can go up), tie, or other. The
--            limits are parameters: the last digit from which a side alone would round up, by class of
--            contract.
-- Reference: RULES.md section 2.
with chosen as (
    select
        listed.rules,
        listed.rules_hash,
        listed.rounding,
        listed.contract_class,
        listed.source,
        listed.match,
        listed.deal,
        listed.low_points,
        listed.high_points,
        listed.low_digit,
        listed.high_digit,
        listed.edge,
        listed.low_score,
        listed.high_score,
        listed.hanging,
        listed.breaks_alone,
        listed.breaks_nearest,
        listed.decides_lead,
        listed.total_0,
        listed.total_1,
        listed.log_disagrees,
        chunks.file_name,
        chunks.first_line + listed.part_line - 1 as line
    from rounding_rows as listed
    inner join chunks on listed.part = chunks.part and chunks.is_counted
    where listed.match is not null
    order by listed.rules, listed.rules_hash, listed.source, listed.match, listed.deal
)

select * from chosen
