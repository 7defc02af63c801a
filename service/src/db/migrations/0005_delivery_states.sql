-- Why: one name for one thing. A row of the queue has a state, as every other row; the deliveries that share one are a delivery batch.
-- Old code beside it: no, it knows the former names: stop every process before this one starts. Locks: both tables, for an instant:
-- nothing is rewritten.
alter table delivery_queue rename column place to state;
alter table delivery_queue rename constraint delivery_queue_place_check to delivery_queue_state_check;
alter table deliveries rename column bundle_id to delivery_batch_id;
