-- Question:  how did the matches end?
-- Grain:     one row a match (source, match).
with counted as (
    select
        source,
        match,
        rules,
        rules_hash,
        players,
        first_deal,
        last_deal,
        deals as count_deals,
        missing_deals as count_missing_deals,
        total,
        winner,
        is_finished,
        has_conflict,
        finding_count as count_findings
    from raw_matches
)

select * from counted
