# Shared by the scripts: installing what a bare Debian machine lacks, and starting real servers on loopback.
# Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
source "$root/scripts/python.sh"

# Every heading says how many minutes the script has run.
say() { printf '\n== %d:%02d %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

# Packages are looked for by a file they bring, so that a machine that has them is not asked to install again.
need_debian() {
    local missing=()
    while [ $# -gt 0 ]; do
        compgen -G "$2" >/dev/null || missing+=("$1")
        shift 2
    done
    [ ${#missing[@]} -eq 0 ] && return
    say "installing ${missing[*]}"
    local sudo=''
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_nextest() {
    cargo nextest --version >/dev/null 2>&1 || cargo install --locked cargo-nextest
}

# The ten slowest tests of the last run with the profile $1: what to look at when the suite becomes slow.
slowest_tests() {
    say "the ten slowest tests"
    python3 - "${CARGO_TARGET_DIR:-$root/target}/nextest/$1/junit.xml" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
cases = tree.parse(sys.argv[1]).iter("testcase")
for case in sorted(cases, key=lambda case: -float(case.get("time", 0)))[:10]:
    print(f"{float(case.get('time', 0)):7.1f} s  {case.get('classname')} {case.get('name')}")
PYTHON
}

# What failed, once more at the end, where it is found in a long log: of the tests that share a process from what they
# printed, of the others from nextest's own record.
failed_tests() {
    say "failed tests"
    if [ -f "$services/together.log" ]; then
        grep -aE '^test .* FAILED$' "$services/together.log" || true
        grep -a -A6 '^thread .* panicked at' "$services/together.log" | cut -c1-600 || true
    fi
    python3 - "${CARGO_TARGET_DIR:-$root/target}/nextest/$1/junit.xml" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
for case in tree.parse(sys.argv[1]).iter("testcase"):
    for failure in [*case.iter("failure"), *case.iter("error")]:
        print(case.get("classname"), case.get("name"), (failure.get("message") or "")[:600])
PYTHON
}

services=$(mktemp -d /tmp/tidewall-services.XXXXXX)
chmod 755 "$services"
pg_folder=$services
# Runs in a trap, where a command that fails would turn a passed run into a failed one: a server that has already ended
# is no failure.
stop_services() {
    if [ -f "$pg_folder/pg/postmaster.pid" ]; then
        as_postgres "$pg_bin/pg_ctl" -D "$pg_folder/pg" -m immediate stop >/dev/null 2>&1 || true
    fi
    if [ -f "$services/redis.pid" ]; then kill "$(cat "$services/redis.pid")" 2>/dev/null || true; fi
    rm -rf "$services" "$pg_folder" || true
}
trap stop_services EXIT

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# PostgreSQL refuses to run as root.
as_postgres() {
    if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# `start_postgres in-memory` keeps its files in memory where there is room for them. Each test has a database of its own,
# which is a thousand files to write and to delete: on a disk that takes longer than most tests.
start_postgres() {
    need_debian postgresql '/usr/lib/postgresql/*/bin/initdb'
    pg_bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    local port free_kib=0
    port=$(free_port)
    if [ "${1:-}" = in-memory ]; then free_kib=$(df -k --output=avail /dev/shm 2>/dev/null | tail -n 1) || free_kib=0; fi
    if [ "${free_kib:-0}" -gt $((4 * 1024 * 1024)) ]; then
        pg_folder=$(mktemp -d /dev/shm/tidewall-postgres.XXXXXX)
        chmod 755 "$pg_folder"
    fi
    mkdir -p "$pg_folder/pg"
    [ "$(id -u)" -eq 0 ] && chown postgres "$pg_folder/pg"
    as_postgres "$pg_bin/initdb" -D "$pg_folder/pg" -U postgres --auth=trust --no-sync -E UTF8 >/dev/null
    # Without fsync nothing that a killed server wrote is lost, only what a machine without power has not written yet.
    as_postgres "$pg_bin/pg_ctl" -D "$pg_folder/pg" -w -l "$pg_folder/pg/log" start \
        -o "-p $port -c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories=$pg_folder/pg -c max_connections=300" >/dev/null
    # Not a superuser: row-level security must hold for the role the service runs as.
    "$pg_bin/psql" -q -h 127.0.0.1 -p "$port" -U postgres -c 'CREATE ROLE tidewall LOGIN CREATEDB; CREATE ROLE tidewall_service LOGIN' postgres
    export TIDEWALL_TEST_POSTGRES="postgres://tidewall@127.0.0.1:$port/postgres?sslmode=disable"
}

start_redis() {
    need_debian redis-server /usr/bin/redis-server
    local port
    port=$(free_port)
    redis-server --port "$port" --bind 127.0.0.1 --save '' --daemonize yes --dir "$services" \
        --pidfile "$services/redis.pid" >/dev/null
    export TIDEWALL_TEST_REDIS="redis://127.0.0.1:$port/"
}

# The mail tests start this server themselves, one each.
need_mail_server() { need_debian python3-aiosmtpd /usr/lib/python3/dist-packages/aiosmtpd; }

# The tests of files in a bucket start this S3-compatible server themselves, one each.
need_object_server() {
    need_debian python3-venv '/usr/lib/python3*/venv'
    need_python moto 'moto[s3]==5.2.5' 'flask==3.1.2' 'flask-cors==6.0.1'
    export TIDEWALL_TEST_MOTO=$tools/bin/moto_server
}

# The tests of calendars read them with this package, which shares nothing with the service.
need_calendar_reader() {
    need_debian python3-venv '/usr/lib/python3*/venv'
    need_python icalendar 'icalendar==6.3.1'
    export TIDEWALL_TEST_ICALENDAR=$tools/bin/python
}

# What the time of a PDF is measured beside. Both set text in the same process as the measurement.
need_typesetters() {
    need_debian python3-venv '/usr/lib/python3*/venv' libpangoft2-1.0-0 '/usr/lib/*/libpangoft2-1.0.so.0' \
        libharfbuzz-subset0 '/usr/lib/*/libharfbuzz-subset.so.0' fonts-dejavu-core /usr/share/fonts/truetype/dejavu
    need_python typesetters 'weasyprint==70.0' 'typst==0.15.0'
    export TIDEWALL_BENCH_PEERS=$tools/bin/python
}

# Builds the program as it was before the newest migration came to this branch, or at TIDEWALL_TEST_UPGRADE_FROM, out of
# the repository's own history, and names it in TIDEWALL_TEST_BEFORE. It is built in a folder of its own: in a shared one
# cargo tells two checkouts of a workspace apart only by the times of their files, and takes parts of one for the other.
build_version_before() {
    local newest added before folder
    newest=$(printf '%s\n' crates/store/migrations/postgres/*.sql | sort | tail -n 1)
    added=$(git log --first-parent -m --diff-filter=A --format=%H -- "$newest" | tail -n 1)
    if ! before=$(git rev-parse --verify --quiet "${TIDEWALL_TEST_UPGRADE_FROM:-$added^}^{commit}"); then
        echo "scripts/test --full upgrades from the version before $newest, and this checkout does not hold it:" >&2
        echo "commit the migration if it is new, or fetch the whole history with: git fetch --unshallow" >&2
        return 1
    fi
    folder=${CARGO_TARGET_DIR:-$root/target}/versions/$before
    mkdir -p "$folder"
    git archive "$before" | tar -x -C "$folder"
    say "building the version before $(basename "$newest" .sql): $(git log -1 --format='%h of %cs' "$before")"
    cargo build --locked --quiet --manifest-path "$folder/Cargo.toml" --package tidewall --bin tidewall \
        --target-dir "$folder/target"
    export TIDEWALL_TEST_BEFORE=$folder/target/debug/tidewall
}
