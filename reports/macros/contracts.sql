-- Name of a contract 0-5 in a row of contracts: each of them, their class, or all; none where nobody ordered
-- it.
create or replace temp macro contract_at(detail, contract, is_ordered) as
case
    when detail = 'all' then 'all'
    when not is_ordered then 'none'
    when detail = 'class'
        then (['suit', 'suit', 'suit', 'suit', 'no trumps', 'all trumps'])[contract::integer + 1]
    else (['clubs', 'diamonds', 'hearts', 'spades', 'no trumps', 'all trumps'])[contract::integer + 1]
end;
