-- Question:  by which rules were the deals checked?
-- Grain:     one row a set of rule values (rules_hash); a table's own options make a set of their own.
-- Caution:   hand_size is what a seat holds when play begins; unseen_count cards are then in no hand.
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
        try_cast(json_extract_string(parameters, '$.partners') as boolean) as partners,
        case json_extract_string(parameters, '$.lowest_rank') when '7' then 0 when '9' then 2 end
            as lowest_rank,
        try_cast(json_extract(parameters, '$.first_packets') as integer[]) as first_packets,
        try_cast(json_extract(parameters, '$.second_packets') as integer[]) as second_packets,
        json_extract_string(parameters, '$.bidding') as bidding,
        json_extract_string(parameters, '$.turn_up') as turn_up,
        json_extract_string(parameters, '$.round_two') as round_two,
        json_extract_string(parameters, '$.all_pass') as all_pass,
        json_extract_string(parameters, '$.rounding') as rounding,
        try_cast(json_extract_string(parameters, '$.target') as integer) as target
    from named
),

counted as (
    select
        rules_hash,
        rules,
        parameters,
        count_files,
        players,
        if(partners, 2, players) as side_count,
        lowest_rank,
        4 * (8 - lowest_rank) as pack_size,
        list_sum(first_packets)::integer as first_hand_size,
        (list_sum(first_packets) + list_sum(second_packets))::integer as hand_size,
        (4 * (8 - lowest_rank) - players * (list_sum(first_packets) + list_sum(second_packets)))::integer
            as unseen_count,
        bidding,
        turn_up,
        round_two,
        all_pass,
        rounding,
        target
    from read_out
)

select * from counted
