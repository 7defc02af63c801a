-- Why: the types of events are listed in the contract. A check that repeats the list would need a migration for each new type, one
-- version before the code that announces it. An account is announced only what it has subscribed to, and a subscription is validated.
-- Old code beside it: from 0012. It announces the types that the check allowed.

-- step: transaction
alter table account_events drop constraint account_events_type_check;
