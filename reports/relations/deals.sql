-- Question:  which deals were played, and how did the match stand?
-- Grain:     one row a deal (source, match, deal): the copy that counts.
-- Caution:   score is of the deal alone, match_score with hung points won; both and total in game points.
with with_match as (
    select
        counted_deals.*,
        standings.hanging_in,
        standings.hanging_out,
        standings.score as match_score,
        standings.score_0 as match_score_0,
        standings.score_1 as match_score_1,
        standings.score_2 as match_score_2,
        standings.total,
        standings.total_0,
        standings.total_1,
        standings.total_2,
        standings.ends_match,
        standings.winner
    from counted_deals
    left join raw_standings as standings
        on
            counted_deals.source = standings.source
            and counted_deals.match = standings.match
            and counted_deals.deal = standings.deal
)

select * from with_match
