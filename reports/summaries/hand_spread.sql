-- Question:  how far do matches differ in what hands of the same strength make of their contracts?
-- Grain:     one row a source, rule set, class of contract and strength of the hand; a feature that is not
--            asked for is null.
-- Caution:   sums over matches of what the intervals in macros/statistics.sql need: n are the deals of a
--            match.  In lone sources every match is of one deal, and needs no counting.
with asked as (
    select *
    from counted_deals
    where
        ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or list_contains(players, $player))
        and ($include_illegal or illegal_cards = 0)
        and is_decided
        and first_hands is not null
),

held as (
    select
        source,
        match,
        rules,
        rules_hash,
        contract::integer as contract,
        contract_class,
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

-- a feature not asked for is null in every row; rows of the same strength are equal, nulls included
grouped as not materialized (
    select
        source,
        match,
        rules,
        rules_hash,
        contract_class,
        is_made,
        declarer_points,
        net_score,
        if($by_trumps and contract < 4, bit_count(trumps_in(hand, contract)), null) as trump_count,
        if($by_jacks_and_nines, jacks_in(hand, contract), null) as jack_count,
        if($by_jacks_and_nines, nines_in(hand, contract), null) as nine_count,
        if($by_aces, aces_in(hand, contract), null) as ace_count,
        if($by_belote, has_belote(hand, contract), null) as has_belote,
        if($by_declaration, has_combination(hand), null) as has_declaration
    from with_turn_up
),

match_totals as (
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
        count(*) as n,
        count_if(is_made) as made,
        sum(net_score) as net
    from grouped
    where $has_matches and not list_contains($lone_sources::varchar[], source)
    group by
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
        match
),

spread as (
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
        count(*) as matches,
        sum(n * n)::hugeint as nn,
        sum(made * made)::hugeint as made_kk,
        sum(made * n)::hugeint as made_kn,
        sum(net) as net,
        sum(net * net) as net_kk,
        sum(net * n) as net_kn
    from match_totals
    group by
        source,
        rules,
        rules_hash,
        contract_class,
        trump_count,
        jack_count,
        nine_count,
        ace_count,
        has_belote,
        has_declaration
),

lone_grouped as (
    select
        source,
        rules,
        rules_hash,
        contract_class,
        if($by_trumps, trump_count, null) as trump_count,
        if($by_jacks_and_nines, jack_count, null) as jack_count,
        if($by_jacks_and_nines, nine_count, null) as nine_count,
        if($by_aces, ace_count, null) as ace_count,
        if($by_belote, has_belote, null) as has_belote,
        if($by_declaration, has_declaration, null) as has_declaration,
        is_made,
        net_score,
        deals
    from hand_counts
    where list_contains($lone_sources::varchar[], source) and ($include_illegal or not is_illegal)
),

lone_spread as (
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
        sum(deals)::bigint as matches,
        sum(deals)::hugeint as nn,
        coalesce(sum(deals) filter (where is_made), 0)::hugeint as made_kk,
        made_kk as made_kn,
        sum(deals * net_score) as net,
        sum(deals * net_score * net_score) as net_kk,
        net as net_kn
    from lone_grouped
    group by
        source,
        rules,
        rules_hash,
        contract_class,
        trump_count,
        jack_count,
        nine_count,
        ace_count,
        has_belote,
        has_declaration
),

united as (
    select * from spread
    union all by name
    select * from lone_spread
)

select * from united
