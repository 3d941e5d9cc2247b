-- Question:  how often are declarations announced, what becomes of them, and how often would chance deal
--            them?
-- Grain:     one row a rule set, class of contract and kind of declaration.
-- Caution:   the chance is that of a random hand as it is when play begins, of the pack and size that the
--            rules say; the auction selects hands, players may keep a declaration to themselves, and some
--            rules and contracts know none at all.  Only deals played to their end.  Belotes at a suit
--            contract are counted among the deals in which that suit was trump.
-- Reference: chances counted over all hands, belot_stats/combinatorics.py; intervals in
--            macros/statistics.sql.
with begun as (
    select
        source,
        match,
        rules,
        rules_hash,
        contract,
        -- nobody chose the contract after all passed
        if(outcome = 'all_pass', 'all passed', contract_class) as contract_class,
        seat_count
    from counted_deals
    where
        ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or list_contains(players, $player))
        and ($include_illegal or illegal_cards = 0)
        and contract is not null
        -- a deal that was cut off may have lost announcements
        and (is_decided or outcome = 'all_pass')
),

kinds (kind, chance_kind, kind_order, belote_suit) as (
    values
    ('tierce', 'tierce', 1, null),
    ('quarte', 'quarte', 2, null),
    ('quinte', 'quinte', 3, null),
    ('carre-jacks', 'carre-jacks', 4, null),
    ('carre-nines', 'carre-nines', 5, null),
    ('carre-others', 'carre-others', 6, null),
    ('carre-unknown', null, 7, null),
    ('belote-clubs', 'belote-of-a-suit', 8, 0),
    ('belote-diamonds', 'belote-of-a-suit', 9, 1),
    ('belote-hearts', 'belote-of-a-suit', 10, 2),
    ('belote-spades', 'belote-of-a-suit', 11, 3)
),

match_seats as (
    select
        source,
        match,
        rules,
        rules_hash,
        contract,
        contract_class,
        count(*) as deals,
        sum(seat_count) as seat_deals
    from begun
    group by source, match, rules, rules_hash, contract, contract_class
),

match_bases as (
    select
        match_seats.source,
        match_seats.match,
        match_seats.rules,
        match_seats.rules_hash,
        match_seats.contract_class,
        kinds.kind,
        sum(match_seats.deals) as deals,
        sum(match_seats.seat_deals) as n
    from match_seats
    inner join kinds
        on
            kinds.belote_suit is null
            or kinds.belote_suit = match_seats.contract
            or match_seats.contract_class = 'all trumps'
    group by all
),

announced as (
    select
        source,
        match,
        rules,
        rules_hash,
        if(outcome = 'all_pass', 'all passed', contract_class) as contract_class,
        deal,
        seat,
        rank_class as kind,
        status
    from declarations
    where
        ($rules::varchar is null or $rules in (rules, rules_hash))
        and ($source::varchar is null or source = $source)
        and ($match::varchar is null or match = $match)
        and ($player::varchar is null or list_contains(players, $player))
        and ($include_illegal or illegal_cards = 0)
        and contract is not null
        and (is_decided or outcome = 'all_pass')
),

match_announced as (
    select
        source,
        match,
        rules,
        rules_hash,
        contract_class,
        kind,
        count(*) as announced,
        count(distinct { 'deal': deal, 'seat': seat }) as k,
        count_if(status = 'counted') as counted,
        count_if(status = 'beaten') as beaten,
        count_if(status = 'tied') as tied,
        count_if(status = 'no_trick') as no_trick,
        count_if(status not in ('counted', 'beaten', 'tied', 'no_trick')) as refused
    from announced
    group by source, match, rules, rules_hash, contract_class, kind
),

match_totals as (
    select
        match_bases.*,
        coalesce(match_announced.k, 0) as k,
        coalesce(match_announced.announced, 0) as announced,
        coalesce(match_announced.counted, 0) as counted,
        coalesce(match_announced.beaten, 0) as beaten,
        coalesce(match_announced.tied, 0) as tied,
        coalesce(match_announced.no_trick, 0) as no_trick,
        coalesce(match_announced.refused, 0) as refused
    from match_bases
    left join match_announced
        on
            match_bases.source = match_announced.source
            and match_bases.match = match_announced.match
            and match_bases.rules_hash = match_announced.rules_hash
            and match_bases.contract_class = match_announced.contract_class
            and match_bases.kind = match_announced.kind
),

totals as (
    select
        rules,
        rules_hash,
        contract_class,
        kind,
        count(*) as matches,
        sum(deals)::bigint as deals,
        sum(n)::bigint as seat_deals,
        sum(k)::bigint as announcing_seats,
        sum(announced)::bigint as announced,
        sum(counted)::bigint as counted,
        sum(beaten)::bigint as beaten,
        sum(tied)::bigint as tied,
        sum(no_trick)::bigint as no_trick,
        sum(refused)::bigint as refused,
        sum(k * k) as kk,
        sum(k * n) as kn,
        sum(n * n) as nn
    from match_totals
    group by rules, rules_hash, contract_class, kind
),

summary as (
    select
        totals.rules,
        totals.rules_hash,
        totals.contract_class,
        totals.kind,
        totals.deals,
        totals.seat_deals,
        totals.announced,
        totals.announcing_seats,
        totals.announcing_seats / nullif(totals.seat_deals, 0) as announced_rate,
        rate_low(
            totals.announcing_seats, totals.seat_deals, totals.matches, totals.kk, totals.kn, totals.nn
        ) as announced_low,
        rate_high(
            totals.announcing_seats, totals.seat_deals, totals.matches, totals.kk, totals.kn, totals.nn
        ) as announced_high,
        rule_sets.pack_size,
        rule_sets.hand_size,
        chances.holding_hands / chances.hands as holding_chance,
        totals.counted,
        totals.beaten,
        totals.tied,
        totals.no_trick,
        totals.refused,
        totals.matches
    from totals
    inner join kinds on totals.kind = kinds.kind
    left join rule_sets on totals.rules_hash = rule_sets.rules_hash
    left join holding_chances as chances
        on
            kinds.chance_kind = chances.kind
            and rule_sets.hand_size = chances.hand_size
            and rule_sets.lowest_rank = chances.lowest_rank
    where totals.kind <> 'carre-unknown' or totals.announced > 0
    order by totals.rules asc, totals.rules_hash asc, totals.contract_class desc, kinds.kind_order asc
)

select * from summary
