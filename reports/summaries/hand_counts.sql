-- Question:  how many deals went the same way, as far as the declarer's first cards and the result tell?
-- Grain:     one row a source, rule set, class of contract, strength of the hand, result, points and net
--            score.
with asked as (
    select *
    from counted_deals
    where
        ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or list_contains(players, $player))
        and is_decided
        and first_hands is not null
),

held as (
    select
        source,
        rules,
        rules_hash,
        contract::integer as contract,
        contract_class,
        illegal_cards > 0 as is_illegal,
        outcome = 'made' as is_made,
        declarer_points,
        declarer_score - defender_score / (side_count - 1) as net_score,
        first_hands[declarer + 1]::bigint as first_hand,
        dealt_hands[declarer + 1]::bigint as dealt_hand,
        if($with_turn_up, turn_up_card, null)::bigint as turn_up_card
    from asked
),

with_turn_up as (
    select
        *,
        hand_with(turn_up_card, first_hand, dealt_hand) as hand
    from held
),

grouped as not materialized (
    select
        source,
        rules,
        rules_hash,
        contract_class,
        is_illegal,
        is_made,
        declarer_points,
        net_score,
        if(contract < 4, bit_count(trumps_in(hand, contract)), null) as trump_count,
        jacks_in(hand, contract) as jack_count,
        nines_in(hand, contract) as nine_count,
        aces_in(hand, contract) as ace_count,
        has_belote(hand, contract) as has_belote,
        has_combination(hand) as has_declaration
    from with_turn_up
),

counted as (
    select
        source,
        rules,
        rules_hash,
        contract_class,
        trump_count,
        jack_count,
        nine_count,
        ace_count,
        has_belote,
        has_declaration,
        is_illegal,
        is_made,
        declarer_points,
        net_score,
        count(*) as deals
    from grouped
    group by all
)

select * from counted
