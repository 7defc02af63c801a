-- Why: a question can say from where, as whom and with what it is asked: country, language, location, persona, model, search
-- depth, domains, date. One column of JSON holds those that were requested, in canonical form; null, as in nearly all rows: none.
-- They are read with their task only, and no query filters by them.
-- Old code beside it: from 0012. It asks such a question without these options, and its result has no `effective`, which the
-- record returns as null.
-- step: transaction
alter table tasks add column asked_as json;
