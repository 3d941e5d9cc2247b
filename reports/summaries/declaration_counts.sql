-- Question:  how often were declarations announced, what became of them, and how far do matches differ in it?
-- Grain:     one row a source, rule set, class of contract and kind of declaration.
-- Caution:   n are the hands of a match, k those of them from which at least one was announced; kk, kn and nn
--            are sums over matches, of what the intervals in macros/statistics.sql need.  Belotes at a suit
--            contract are counted among the deals in which that suit was trump.  In lone sources every match
--            is of one deal: there, deals with the same announcements are counted together.
with asked as not materialized (
    select
        *,
        -- nobody chose the contract after all passed
        if(outcome = 'all_pass', 'all passed', contract_class) as class,
        list_contains($lone_sources::varchar[], source) as is_lone
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

-- hands a match and suit of trumps; all suits are trumps at all trumps
match_suits as (
    select
        source,
        match,
        rules,
        rules_hash,
        class,
        case class when 'all trumps' then 4 else contract end as trumps,
        count(*) as deals,
        sum(seat_count)::bigint as n
    from asked
    where $has_matches and not is_lone
    group by source, match, rules, rules_hash, class, trumps
),

match_hands as (
    select
        source,
        match,
        rules,
        rules_hash,
        class,
        null::integer as belote_suit,
        sum(deals)::bigint as deals,
        sum(n)::bigint as n
    from match_suits
    group by source, match, rules, rules_hash, class
    union all
    select
        match_suits.source,
        match_suits.match,
        match_suits.rules,
        match_suits.rules_hash,
        match_suits.class,
        suits.suit as belote_suit,
        match_suits.deals,
        match_suits.n
    from match_suits
    inner join (values (0), (1), (2), (3)) as suits (suit)
        on match_suits.class = 'all trumps' or match_suits.trumps = suits.suit
),

announced as (
    select
        source,
        match,
        rules,
        rules_hash,
        class,
        deal,
        unnest(  -- noqa: AL03
            list_concat(
                list_transform(
                    declaration_results,
                    lambda said: {
                        'seat': said['seat'],
                        'kind': rank_class_of(said['kind'], said['cards']),
                        'status': said['status']
                    }
                ),
                list_transform(
                    belote_results,
                    lambda said: {
                        'seat': said['seat'], 'kind': belote_class_of(said['suit']), 'status': said['status']
                    }
                )
            ),
            recursive := true
        )
    from asked
    where $has_matches and not is_lone and len(declaration_results) + len(belote_results) > 0
),

-- a hand may announce several of a kind
hand_announced as (
    select
        source,
        match,
        rules,
        rules_hash,
        class,
        kind,
        count(*) as announced,
        count_if(status = 'counted') as counted,
        count_if(status = 'beaten') as beaten,
        count_if(status = 'tied') as tied,
        count_if(status = 'no_trick') as no_trick
    from announced
    group by source, match, rules, rules_hash, class, kind, deal, seat
),

match_announced as (
    select
        source,
        match,
        rules,
        rules_hash,
        class,
        kind,
        count(*) as k,
        sum(announced)::bigint as announced,
        sum(counted)::bigint as counted,
        sum(beaten)::bigint as beaten,
        sum(tied)::bigint as tied,
        sum(no_trick)::bigint as no_trick
    from hand_announced
    group by source, match, rules, rules_hash, class, kind
),

-- the same of lone sources: all matches of the same announcements at once, as many as deals
patterns as (
    select
        source,
        rules,
        rules_hash,
        class,
        contract,
        seat_count,
        list_transform(
            declaration_results,
            lambda said: {
                'seat': said['seat'],
                'kind': rank_class_of(said['kind'], said['cards']),
                'status': said['status']
            }
        ) as combinations,
        list_transform(
            belote_results,
            lambda said: {
                'seat': said['seat'], 'kind': belote_class_of(said['suit']), 'status': said['status']
            }
        ) as belotes,
        count(*) as deals
    from asked
    where len($lone_sources::varchar[]) > 0 and is_lone
    group by all
),

numbered as (
    select
        *,
        row_number() over () as pattern
    from patterns
),

pattern_hands as (
    select
        source,
        rules,
        rules_hash,
        class,
        null::integer as belote_suit,
        deals,
        seat_count as n
    from numbered
    union all
    select
        numbered.source,
        numbered.rules,
        numbered.rules_hash,
        numbered.class,
        suits.suit as belote_suit,
        numbered.deals,
        numbered.seat_count as n
    from numbered
    inner join (values (0), (1), (2), (3)) as suits (suit)
        on numbered.class = 'all trumps' or numbered.contract = suits.suit
),

pattern_announced as (
    select
        pattern,
        unnest(list_concat(combinations, belotes), recursive := true)  -- noqa: AL03
    from numbered
),

pattern_totals as (
    select
        pattern,
        kind,
        count(distinct seat) as k,
        count(*) as announced,
        count_if(status = 'counted') as counted,
        count_if(status = 'beaten') as beaten,
        count_if(status = 'tied') as tied,
        count_if(status = 'no_trick') as no_trick
    from pattern_announced
    group by pattern, kind
),

-- matches: how many a row stands for
all_hands as (
    select
        source,
        rules,
        rules_hash,
        class,
        belote_suit,
        1 as matches,
        deals,
        n
    from match_hands
    union all
    select
        source,
        rules,
        rules_hash,
        class,
        belote_suit,
        deals as matches,
        1 as deals,
        n
    from pattern_hands
),

all_announced as (
    select
        match_announced.* exclude (match),
        1 as matches,
        match_hands.n
    from match_announced
    inner join declaration_kinds on match_announced.kind = declaration_kinds.kind
    inner join match_hands
        on
            match_announced.source = match_hands.source
            and match_announced.match = match_hands.match
            and match_announced.rules = match_hands.rules
            and match_announced.rules_hash = match_hands.rules_hash
            and match_announced.class = match_hands.class
            and declaration_kinds.belote_suit is not distinct from match_hands.belote_suit
    union all by name
    select
        numbered.source,
        numbered.rules,
        numbered.rules_hash,
        numbered.class,
        pattern_totals.* exclude (pattern),
        numbered.deals as matches,
        numbered.seat_count as n
    from pattern_totals
    inner join numbered on pattern_totals.pattern = numbered.pattern
    inner join declaration_kinds on pattern_totals.kind = declaration_kinds.kind
    where
        declaration_kinds.belote_suit is null
        or numbered.class = 'all trumps'
        or numbered.contract = declaration_kinds.belote_suit
),

hand_totals as (
    select
        source,
        rules,
        rules_hash,
        class,
        belote_suit,
        sum(matches)::bigint as matches,
        sum(matches * deals)::bigint as deals,
        sum(matches * n)::bigint as seat_deals,
        sum(matches * n * n)::hugeint as nn
    from all_hands
    group by source, rules, rules_hash, class, belote_suit
),

announced_totals as (
    select
        source,
        rules,
        rules_hash,
        class,
        kind,
        sum(matches * k)::bigint as announcing_seats,
        sum(matches * announced)::bigint as announced,
        sum(matches * counted)::bigint as counted,
        sum(matches * beaten)::bigint as beaten,
        sum(matches * tied)::bigint as tied,
        sum(matches * no_trick)::bigint as no_trick,
        sum(matches * k * k)::hugeint as kk,
        sum(matches * k * n)::hugeint as kn
    from all_announced
    group by source, rules, rules_hash, class, kind
),

totals as (
    select
        hand_totals.source,
        hand_totals.rules,
        hand_totals.rules_hash,
        hand_totals.class as contract_class,
        declaration_kinds.kind,
        hand_totals.matches,
        hand_totals.deals,
        hand_totals.seat_deals,
        coalesce(announced_totals.announcing_seats, 0) as announcing_seats,
        coalesce(announced_totals.announced, 0) as announced,
        coalesce(announced_totals.counted, 0) as counted,
        coalesce(announced_totals.beaten, 0) as beaten,
        coalesce(announced_totals.tied, 0) as tied,
        coalesce(announced_totals.no_trick, 0) as no_trick,
        coalesce(announced_totals.kk, 0) as kk,
        coalesce(announced_totals.kn, 0) as kn,
        hand_totals.nn
    from hand_totals
    inner join declaration_kinds on hand_totals.belote_suit is not distinct from declaration_kinds.belote_suit
    left join announced_totals
        on
            hand_totals.source = announced_totals.source
            and hand_totals.rules = announced_totals.rules
            and hand_totals.rules_hash = announced_totals.rules_hash
            and hand_totals.class = announced_totals.class
            and declaration_kinds.kind = announced_totals.kind
)

select * from totals
