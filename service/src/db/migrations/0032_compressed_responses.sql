-- Why: a long response is compressed before it is sent here. The server compressed 16 MiB in a quarter of a second, during which it
-- had one processor less for others, and wrote several times as much.
-- Old code beside it: from 0012. It takes a compressed response for one that was too long to be kept: until its process is replaced,
-- evidence from it lacks the response, and `reparse` skips it.

-- step: transaction
-- The UTF-8 text of the response, compressed with Brotli; `raw_body` is null beside it.
alter table task_results add column raw_compressed bytea;
-- step: transaction
-- The number of bytes that `raw_compressed` decompresses to.
alter table task_results add column raw_bytes integer;
