-- Question:  how often are declarations announced, what becomes of them, and how often would chance deal
--            them?
-- Grain:     one row a rule set, class of contract and kind of declaration.
-- Caution:   the chance is that of a random hand as it is when play begins, of the pack and size that the
--            rules say; the auction selects hands, players may keep a declaration to themselves, and some
--            rules and contracts know none at all.  Only deals played to their end.  Belotes at a suit
--            contract are counted among the deals in which that suit was trump.
-- Reference: chances counted over all hands, belot_stats/combinatorics.py; intervals in
--            macros/statistics.sql.
with totals as (
    select
        rules,
        rules_hash,
        contract_class,
        kind,
        sum(matches)::bigint as matches,
        sum(deals)::bigint as deals,
        sum(seat_deals)::bigint as seat_deals,
        sum(announcing_seats)::bigint as announcing_seats,
        sum(announced)::bigint as announced,
        sum(counted)::bigint as counted,
        sum(beaten)::bigint as beaten,
        sum(tied)::bigint as tied,
        sum(no_trick)::bigint as no_trick,
        sum(announced - counted - beaten - tied - no_trick)::bigint as refused,
        sum(kk) as kk,
        sum(kn) as kn,
        sum(nn) as nn
    from declaration_counts
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
    inner join declaration_kinds as kinds on totals.kind = kinds.kind
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
