-- Question:  which deals were played?
-- Grain:     one row a deal (source, match, deal): the copy that counts.
-- Caution:   line is the line in the file.  `deals` adds the state of the match, at the price of a join.
--            contract_class of a deal that was played after all passed (outcome all_pass) is that of the
--            turned-up suit, and it has no declarer.  defender_points and defender_score are of all
--            defending sides together.
with placed as (
    select
        raw_deals.* exclude (line, byte)
        -- claims may be as large as they like; arithmetic on them must not stop a report
        replace (
            raw_deals.claimed_points::bigint[] as claimed_points,
            raw_deals.claimed_score::bigint[] as claimed_score,
            raw_deals.claimed_hanging::bigint as claimed_hanging,
            raw_deals.claimed_total::bigint[] as claimed_total
        ),
        chunks.file,
        chunks.file_name,
        raw_deals.line as part_line,
        chunks.first_line + raw_deals.line - 1 as line,
        chunks.first_byte + raw_deals.byte as byte
    from raw_deals
    inner join chunks on raw_deals.part = chunks.part and chunks.is_counted
    anti join raw_duplicates
        on
            raw_deals.part = raw_duplicates.part
            and raw_deals.line = raw_duplicates.line
            and raw_deals.byte = raw_duplicates.byte
),

named as (
    select
        placed.*,
        (['clubs', 'diamonds', 'hearts', 'spades', 'no trumps', 'all trumps'])[placed.contract::integer + 1]
            as contract_name,
        (['suit', 'suit', 'suit', 'suit', 'no trumps', 'all trumps'])[placed.contract::integer + 1]
            as contract_class,
        placed.outcome in ('made', 'failed', 'hanging') as is_decided,
        placed.turn_up[1] as turn_up_card,
        placed.turn_up[2] as second_turn_up_card,
        case placed.declarer_side
            when 0 then placed.points_0
            when 1 then placed.points_1
            when 2 then placed.points_2
        end as declarer_points,
        case placed.declarer_side
            when 0 then placed.points_1 + coalesce(placed.points_2, 0)
            when 1 then placed.points_0 + coalesce(placed.points_2, 0)
            when 2 then placed.points_0 + placed.points_1
        end as defender_points,
        case placed.declarer_side
            when 0 then greatest(placed.points_1, placed.points_2)
            when 1 then greatest(placed.points_0, placed.points_2)
            when 2 then greatest(placed.points_0, placed.points_1)
        end as best_defender_points,
        case placed.declarer_side
            when 0 then placed.score_0
            when 1 then placed.score_1
            when 2 then placed.score_2
        end as declarer_score,
        case placed.declarer_side
            when 0 then placed.score_1 + coalesce(placed.score_2, 0)
            when 1 then placed.score_0 + coalesce(placed.score_2, 0)
            when 2 then placed.score_0 + placed.score_1
        end as defender_score,
        rule_sets.players as seat_count,
        rule_sets.side_count
    from placed
    left join rule_sets on placed.rules_hash = rule_sets.rules_hash
)

select * from named
