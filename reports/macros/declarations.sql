-- Kinds of declarations: their order, the kind of which chance is known, and the trump suit of a belote.
create or replace temp view declaration_kinds as
with kinds (kind, chance_kind, kind_order, belote_suit) as (
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
)

select * from kinds;

-- As rank_class of the relation declarations.
create or replace temp macro rank_class_of(kind, cards) as
case
    when kind <> 'carre' then kind
    when cards is null then 'carre-unknown'
    when (cards & 255) = 16 then 'carre-jacks'
    when (cards & 255) = 4 then 'carre-nines'
    else 'carre-others'
end;

create or replace temp macro belote_class_of(suit) as
'belote-' || (['clubs', 'diamonds', 'hearts', 'spades'])[suit::integer + 1];
