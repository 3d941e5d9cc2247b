-- Question:  by which rules were the deals checked?
-- Grain:     one row a set of rule values (rules_hash); a table's own options make a set of their own.
with used as (
    select
        finished_at,
        file,
        unnest(rulesets, recursive := true)  -- noqa: AL03
    from raw_ledger
),

named as (
    select
        hash as rules_hash,
        arg_min(name, (finished_at, file)) as rules,
        arg_min(values, (finished_at, file)) as parameters,
        count(distinct file) as count_files
    from used
    group by hash
),

read_out as (
    select
        rules_hash,
        rules,
        parameters,
        count_files,
        try_cast(json_extract_string(parameters, '$.players') as integer) as players,
        case json_extract_string(parameters, '$.lowest_rank') when '7' then 0 when '9' then 2 end
            as lowest_rank,
        json_extract_string(parameters, '$.rounding') as rounding
    from named
)

select * from read_out
