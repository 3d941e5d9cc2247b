-- Strength of the hand that a contract was bid on, as numbers of cards.
--
-- A hand is 32 bits, a suit a byte of it: 7 8 9 T J Q K A = bits 0..7; contracts 0-3 are suits, 5 all trumps.
create or replace temp macro trumps_in(hand, contract) as
if(contract < 4, (hand >> (8 * contract)) & 255, 0);

create or replace temp macro jacks_in(hand, contract) as
case
    when contract < 4 then trumps_in(hand, contract) >> 4 & 1
    when contract = 5 then bit_count(hand & 269488144)
end;

create or replace temp macro nines_in(hand, contract) as
case
    when contract < 4 then trumps_in(hand, contract) >> 2 & 1
    when contract = 5 then bit_count(hand & 67372036)
end;

-- aces outside trumps
create or replace temp macro aces_in(hand, contract) as
bit_count(hand & 2155905152) - (trumps_in(hand, contract) >> 7 & 1);

-- king and queen of trumps: bits 5 and 6 of a byte
create or replace temp macro has_belote(hand, contract) as
case
    when contract < 4 then trumps_in(hand, contract) & 96 = 96
    when contract = 5 then hand & (hand >> 1) & 538976288 > 0
    else false
end;

-- three in a row, of which the lowest is one of the lowest six of a suit; or four of a rank, from the nine up
create or replace temp macro has_combination(hand) as
hand & (hand >> 1) & (hand >> 2) & 1061109567 > 0
or hand & (hand >> 8) & (hand >> 16) & (hand >> 24) & 252 > 0;

-- The declarer has the turned-up card where he plays with it: given to the taker, or exchanged for the seven.
-- hand: that of the auction; dealt: that of the play.
create or replace temp macro hand_with(turn_up_card, hand, dealt) as
if((dealt >> turn_up_card) & 1 = 1, hand | (1::bigint << turn_up_card), hand);
