-- Question:  how many deals went the same way, as far as contract, points and scores tell?
-- Grain:     one row a source, rule set, contract, level, seat of the declarer from the dealer, result,
--            points and scores.
-- Caution:   points and scores are null in deals that are not decided.
with asked as (
    select *
    from counted_deals
    where
        ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or list_contains(players, $player))
),

described as (
    select
        source,
        rules,
        rules_hash,
        contract,
        declarer is not null as is_ordered,
        level,
        declarer_position,
        outcome,
        illegal_cards > 0 as is_illegal,
        is_decided and coalesce(capot_side = declarer_side, false) as is_capot,
        is_decided and coalesce(capot_side <> declarer_side, false) as is_capot_against,
        if(is_decided, declarer_points, null) as declarer_points,
        if(is_decided, defender_points, null) as defender_points,
        if(is_decided, best_defender_points, null) as best_defender_points,
        if(is_decided, declarer_score, null) as declarer_score,
        if(is_decided, defender_score, null) as defender_score
    from asked
),

counted as (
    select
        *,
        count(*) as deals
    from described
    group by all
)

select * from counted
