-- Question:  which deals were played?
-- Grain:     one row a deal (source, match, deal): the copy that counts.
-- Caution:   line is the line in the file.  `deals` adds the state of the match, at the price of a join.
with placed as (
    select
        raw_deals.* exclude (line, byte)
        -- claims may be as large as they like; arithmetic on them must not stop a report
        replace (
            raw_deals.claimed_points::bigint[] as claimed_points,
            raw_deals.claimed_score::bigint[] as claimed_score,
            raw_deals.claimed_hanging::bigint as claimed_hanging,
            raw_deals.claimed_total::bigint[] as claimed_total
        ),
        chunks.file,
        chunks.file_name,
        raw_deals.line as part_line,
        chunks.first_line + raw_deals.line - 1 as line,
        chunks.first_byte + raw_deals.byte as byte
    from raw_deals
    inner join chunks on raw_deals.part = chunks.part and chunks.is_counted
    anti join raw_duplicates
        on
            raw_deals.part = raw_duplicates.part
            and raw_deals.line = raw_duplicates.line
            and raw_deals.byte = raw_duplicates.byte
),

named as (
    select
        placed.*,
        (['clubs', 'diamonds', 'hearts', 'spades', 'no trumps', 'all trumps'])[placed.contract::integer + 1]
            as contract_name,
        (['suit', 'suit', 'suit', 'suit', 'no trumps', 'all trumps'])[placed.contract::integer + 1]
            as contract_class,
        len(placed.tricks_won)::integer as side_count,
        coalesce(
            rule_sets.players, len(placed.players), len(placed.dealt_hands), len(placed.first_hands)
        )::integer as seat_count
    from placed
    left join rule_sets on placed.rules_hash = rule_sets.rules_hash
)

select * from named
