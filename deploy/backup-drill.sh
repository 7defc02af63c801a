#!/bin/sh
# Restores the last pgBackRest backup into a scratch server, and checks it with `querentd check`: exit code 0 if everything holds.
#
#   backup-drill.sh STANZA [TIME]     TIME such as "2026-11-22 14:30:00+00"; without it, everything that was archived
#
# Run it as the user that runs PostgreSQL, or as root. It changes neither the server nor the backups. Environment:
#   QUERENTD          the command (default: querentd)
#   DRILL_DATABASE  the database (default: querent)
#   PG_BIN            the folder of PostgreSQL's programs, of the version of the backup
#   PG_OWNER          the user that PostgreSQL runs as, if this is root (default: postgres)
#   DRILL_DIR         where there is space for the database (default: /tmp)
# and the service's settings of the artifacts, so that they are checked too.
set -eu

stanza=${1:?usage: backup-drill.sh STANZA [TIME]}
time=${2:-}
database=${DRILL_DATABASE:-querent}
bin=${PG_BIN:-$(pg_config --bindir)}
owner=${PG_OWNER:-postgres}

as_owner() {
  if [ "$(id -u)" = 0 ]; then runuser -u "$owner" -- "$@"; else "$@"; fi
}
psql() {
  as_owner "$bin/psql" -X -A -t -q -h "$scratch" -d "$database" "$@"
}
cleanup() {
  as_owner "$bin/pg_ctl" -D "$scratch/data" -m immediate -s stop >/dev/null 2>&1 || true
  as_owner rm -rf "$scratch"
}

scratch=$(as_owner mktemp -d "${DRILL_DIR:-/tmp}/querent-drill-XXXXXX")
trap cleanup EXIT
trap 'exit 130' INT TERM HUP

if [ -n "$time" ]; then set -- --type=time "--target=$time" --target-action=promote; else set -- --type=default; fi
as_owner pgbackrest --stanza="$stanza" --pg1-path="$scratch/data" --log-level-console=warn "$@" restore

# Nothing connects to it but this script, and it archives nothing into the repository that it came from.
as_owner "$bin/pg_ctl" -D "$scratch/data" -l "$scratch/log" -s -w -t 86400 \
  -o "-c listen_addresses= -c unix_socket_directories=$scratch -c port=5432 -c archive_mode=off -c ssl=off" start || {
  cat "$scratch/log" >&2
  exit 1
}
until [ "$(psql -c 'select pg_is_in_recovery()')" = f ]; do sleep 1; done

echo "Restored to the commit of $(psql -c 'select pg_last_xact_replay_timestamp()'), with $(psql -c 'select count(*) from tasks') tasks."
user=$(psql -c 'select current_user')
DATABASE_URL="postgresql://$user@/$database?host=$scratch" ${QUERENTD:-querentd} check
