-- Question:  how do players fare?
-- Grain:     one row a source, rule set and player.
-- Caution:   partners share a side's result; opponents differ from player to player: this is no rating.
--            Where nobody has a partner every player is a side.  Net is the side's score less the average of
--            the other sides'.  Deals in which the log names no players are not here.
-- Reference: intervals by match, macros/statistics.sql.
with summary as (
    select
        source,
        rules,
        rules_hash,
        player,
        sides,
        deals,
        scored,
        decided,
        all_pass,
        penalties,
        passed_out,
        declared_out,
        unfinished,
        declared,
        made,
        failed,
        hanging,
        made / nullif(declared, 0) as made_rate,
        rate_low(
            made,
            declared,
            declared_matches,
            made_kk,
            made_kn,
            declared_nn
        ) as made_low,
        rate_high(
            made,
            declared,
            declared_matches,
            made_kk,
            made_kn,
            declared_nn
        ) as made_high,
        contras,
        recontras,
        doubled_deals,
        net / nullif(scored, 0) as net_mean,
        net / nullif(scored, 0) - mean_half(
            net, scored, scored_matches, net_kk, net_kn, nn
        ) as net_low,
        net / nullif(scored, 0) + mean_half(
            net, scored, scored_matches, net_kk, net_kn, nn
        ) as net_high,
        net_median,
        score_mean,
        score_median,
        matches,
        finished,
        won,
        won / nullif(finished, 0) as won_rate,
        wilson_low(won, finished) as won_low,
        wilson_high(won, finished) as won_high
    from player_totals
    where deals >= $min_deals
    order by
        rules asc,
        rules_hash asc,
        deals desc,
        source asc,
        player asc
)

select * from summary
