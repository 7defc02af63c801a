-- Why: a trace leads from a submission through other processes to the webhook. The batch keeps the trace context (W3C `traceparent`)
-- of its submission; one column of the batch, not of each task, whose trace it is. Null unless tracing is on.
-- Old code beside it: yes. Locks: the table, for an instant: nothing is rewritten.
alter table batches add column traceparent text;
