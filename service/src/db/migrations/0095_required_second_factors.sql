-- Why: an account that requires a second factor of its members could not say so.
-- Old code beside it: from 0066. It lets members without a second factor in, so update all processes before an account requires one.

-- step: transaction
-- Since when members need a second factor. Null: they don't.
alter table accounts add column second_factor_since timestamptz;
