#!/bin/sh
# Run once by PostgreSQL's image on an empty volume: the role the service signs in as, and its database. No superuser,
# so that row-level security holds for it; it may create databases for `tidewall restore --drill`. Other containers are
# let in over TLS only, and with a password; within the container its own user is the superuser
# (docker compose exec -u postgres postgres psql).
set -eu
base=${TIDEWALL_SETUP:-/run/tidewall}
psql --set ON_ERROR_STOP=1 --set password="$(cat "$base/postgres/tidewall-password")" --username postgres \
    --dbname postgres <<'SQL'
CREATE ROLE tidewall LOGIN CREATEDB PASSWORD :'password';
CREATE DATABASE tidewall OWNER tidewall;
SQL
cat > "$PGDATA/pg_hba.conf" <<'HBA'
local   all postgres     peer
local   all all          scram-sha-256
hostssl all all      all scram-sha-256
HBA
