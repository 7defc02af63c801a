-- Why: sources are counted by domain over months. Reading each answer's list of sources took five to ten times as long as counting does.
-- Old code beside it: from 0012. It writes null, and such answers are counted from their lists.

-- step: transaction
-- Of each of `domains`, and last of the addresses without a known domain: the type of its sites, and the number of addresses. Both are
-- empty if the answer cites nothing; null: not counted.
alter table observations add column domain_types text[], add column domain_citations integer[];
