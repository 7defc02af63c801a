-- Why: a page that asks for a human has not signed its session out: a person passes the check, and the session goes on.
-- Old code beside it: from 0029. To it, such a session is signed out.

-- step: transaction
-- When the page asked for a human. Such a session needs a person if this is its `signed_out_at`: old code changes only that.
alter table platform_sessions add column human_check_at timestamptz;
