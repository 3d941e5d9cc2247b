-- Question:  how did the matches end?
-- Grain:     one row a match (source, match).
-- Caution:   rules, players and target are those of its first deal.  total is after its last deal, in the
--            points that the system writes; a match that a player ended in mid-deal keeps the total before
--            that deal.
with counted as (
    select
        raw_matches.source,
        raw_matches.match,
        raw_matches.rules,
        raw_matches.rules_hash,
        raw_matches.players,
        raw_matches.first_deal,
        raw_matches.last_deal,
        raw_matches.deals as count_deals,
        raw_matches.missing_deals as count_missing_deals,
        raw_matches.total,
        raw_matches.total[1] as total_0,
        raw_matches.total[2] as total_1,
        raw_matches.total[3] as total_2,
        raw_matches.winner,
        raw_matches.is_finished,
        raw_matches.has_conflict,
        raw_matches.finding_count as count_findings,
        rule_sets.players as seat_count,
        rule_sets.side_count,
        rule_sets.target
    from raw_matches
    left join rule_sets on raw_matches.rules_hash = rule_sets.rules_hash
)

select * from counted
