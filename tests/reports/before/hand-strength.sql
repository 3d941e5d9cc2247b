-- Question:  how good must the first cards be for a contract?
-- Grain:     one row a rule set, class of contract and strength of the hand that the declarer bid on.
-- Caution:   the cards are those held during the auction, with the turned-up card where the declarer took
--            it into his hand; partner's hand, the rest of the deal and the play are in the result too.
--            Players bid on more than these features, and the hands they passed are not here.  Net is the
--            declarer's score less the average of the other sides'.
-- Reference: intervals in macros/statistics.sql.
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

-- the declarer has the turned-up card where he plays with it: given to the taker, or exchanged for the seven
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
        if((dealt_hand >> turn_up_card) & 1 = 1, first_hand | (1::bigint << turn_up_card), first_hand) as hand
    from held
),

-- a hand is 32 bits, a suit a byte of it: 7 8 9 T J Q K A = bits 0..7
looked_at as (
    select
        source,
        match,
        rules,
        rules_hash,
        contract_class,
        is_made,
        declarer_points,
        net_score,
        hand,
        if(contract < 4, (hand >> (8 * contract)) & 255, 0) as trumps,
        -- king and queen of a suit: bits 5 and 6 of its byte
        hand & (hand >> 1) & 538976288 > 0 as has_king_and_queen,
        -- three in a row: the lowest of them is one of the lowest six of a suit
        hand & (hand >> 1) & (hand >> 2) & 1061109567 > 0
        -- four of a rank, from the nine up
        or hand & (hand >> 8) & (hand >> 16) & (hand >> 24) & 252 > 0 as has_declaration
    from with_turn_up
),

weighed as (
    select
        source,
        match,
        rules,
        rules_hash,
        contract_class,
        is_made,
        declarer_points,
        net_score,
        if(contract_class = 'suit', bit_count(trumps), null) as trump_count,
        case contract_class
            when 'suit' then trumps >> 4 & 1
            when 'all trumps' then bit_count(hand & 269488144)
        end as jack_count,
        case contract_class
            when 'suit' then trumps >> 2 & 1
            when 'all trumps' then bit_count(hand & 67372036)
        end as nine_count,
        bit_count(hand & 2155905152) - (trumps >> 7 & 1) as ace_count,
        case contract_class
            when 'suit' then trumps & 96 = 96
            when 'all trumps' then has_king_and_queen
            else false
        end as has_belote,
        has_declaration
    from looked_at
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
        {
            'trump_count': if($by_trumps, trump_count, null),
            'jack_count': if($by_jacks_and_nines, jack_count, null),
            'nine_count': if($by_jacks_and_nines, nine_count, null),
            'ace_count': if($by_aces, ace_count, null),
            'has_belote': if($by_belote, has_belote, null),
            'has_declaration': if($by_declaration, has_declaration, null)
        } as strength
    from weighed
),

match_totals as (
    select
        rules_hash,
        contract_class,
        strength,
        count(*) as n,
        count_if(is_made) as made,
        sum(net_score) as net
    from grouped
    group by rules_hash, contract_class, strength, source, match
),

spread as (
    select
        rules_hash,
        contract_class,
        strength,
        count(*) as matches,
        sum(n * n) as nn,
        sum(made * made) as made_kk,
        sum(made * n) as made_kn,
        sum(net) as net,
        sum(net * net) as net_kk,
        sum(net * n) as net_kn
    from match_totals
    group by rules_hash, contract_class, strength
),

counted as (
    select
        rules,
        rules_hash,
        contract_class,
        strength,
        count(*) as deals,
        count_if(is_made) as made,
        median(net_score) as net_median,
        avg(declarer_points) as declarer_points_mean,
        median(declarer_points) as declarer_points_median
    from grouped
    group by rules, rules_hash, contract_class, strength
),

summary as (
    select
        counted.rules,
        counted.rules_hash,
        counted.contract_class,
        counted.strength['trump_count'] as trump_count,
        counted.strength['jack_count'] as jack_count,
        counted.strength['nine_count'] as nine_count,
        counted.strength['ace_count'] as ace_count,
        counted.strength['has_belote'] as has_belote,
        counted.strength['has_declaration'] as has_declaration,
        counted.deals,
        counted.made,
        counted.made / counted.deals as made_rate,
        rate_low(counted.made, counted.deals, spread.matches, spread.made_kk, spread.made_kn, spread.nn)
            as made_low,
        rate_high(counted.made, counted.deals, spread.matches, spread.made_kk, spread.made_kn, spread.nn)
            as made_high,
        spread.net / counted.deals as net_mean,
        spread.net / counted.deals - mean_half(
            spread.net, counted.deals, spread.matches, spread.net_kk, spread.net_kn, spread.nn
        ) as net_low,
        spread.net / counted.deals + mean_half(
            spread.net, counted.deals, spread.matches, spread.net_kk, spread.net_kn, spread.nn
        ) as net_high,
        counted.net_median,
        counted.declarer_points_mean,
        counted.declarer_points_median,
        spread.matches
    from counted
    inner join spread
        on
            counted.rules_hash = spread.rules_hash
            and counted.contract_class = spread.contract_class
            and counted.strength = spread.strength
    where counted.deals >= $min_deals
    order by counted.rules asc, counted.rules_hash asc, counted.contract_class desc, counted.strength asc
)

select * from summary
