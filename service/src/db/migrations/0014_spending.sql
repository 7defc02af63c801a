-- Why: vendors state what an answer costs, charge less for tokens from their cache, and charge for answers that cannot be used. The
-- figures of an answer stay with its task. The sums of every metered attempt are in a table of their own, because costs that are
-- stated must not be computed a second time from the tokens beside them.
-- Old code beside it: from 0012, which writes neither: its tasks count as answers without a stated cost.

-- step: transaction
-- What attempts consumed of the operator's accounts at the platforms, in the transaction that ends their task. Null: never reported.
create table spending_hours (
  account_id     uuid not null,
  -- Its first moment, UTC.
  hour           timestamptz not null,
  platform       text not null,
  -- False: of attempts that gave no answer.
  answered       boolean not null,
  -- Whether the platform stated the cost, which is in `usd`.
  stated         boolean not null,
  attempts       integer not null,
  input_tokens   bigint,
  -- The part of the input tokens that came from the platform's cache.
  cached_tokens  bigint,
  output_tokens  bigint,
  searches       bigint,
  usd            numeric,
  primary key (account_id, hour, platform, answered, stated),
  constraint stated_has_amount check (stated = (usd is not null))
) with (fillfactor = 50);

-- step: transaction
alter table tasks
  add column cached_tokens integer,
  add column stated_usd numeric;
-- step: transaction
alter table tasks add constraint tasks_consumption_check check (cached_tokens >= 0 and stated_usd >= 0) not valid;
-- step: validate
alter table tasks validate constraint tasks_consumption_check;
