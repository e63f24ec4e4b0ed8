#!/bin/sh
# Run once by PostgreSQL's image on an empty volume: the role the service signs in as, and its database. No superuser,
# so that row-level security holds for it; it may create databases for `tidewall restore --drill`.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username postgres --dbname postgres <<'SQL'
CREATE ROLE tidewall LOGIN CREATEDB PASSWORD :'password';
CREATE DATABASE tidewall OWNER tidewall;
SQL
