# Shared by the contract tests: builds the service and starts it with the demo tenant. Sourced, not run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$root/scripts/python.sh"
data=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$data"' EXIT

# Keeps a copy of the service in $binary, because a later build must not change a running test. It is built first, unless
# TIDEWALL_TEST_PROGRAM names one that the test run has built already.
build_service() {
    [ -n "${TIDEWALL_TEST_PROGRAM:-}" ] || cargo build --quiet --locked --manifest-path "$root/Cargo.toml"
    binary=$data/tidewall
    cp "${TIDEWALL_TEST_PROGRAM:-${CARGO_TARGET_DIR:-$root/target}/debug/tidewall}" "$binary"
}

# Starts a service named $1 on a free port and sets `base` and `key`. Settings can be given in the environment.
start_service() {
    local log=$data/$1.log
    TIDEWALL_OPERATOR__LISTEN='' \
        "$binary" serve --demo --listen 127.0.0.1:0 --data-dir "$data/$1" >"$log" 2>&1 &
    for _ in $(seq 600); do
        grep -q 'listening on' "$log" && break
        sleep 0.1
    done
    base=$(grep -oE 'listening on http://[0-9.:]+' "$log" | head -n 1 | cut -d' ' -f3)
    key=$(grep -oE 'tw_[A-Za-z0-9]{8}_[A-Za-z0-9]{38}' "$log" | head -n 1)
    [ -n "$base" ] && [ -n "$key" ] || { cat "$log" >&2; return 1; }
}

# Fails if a service met a defect of its own while it was tested.
check_logs() {
    ! grep -E 'answered 500|panicked' "$data"/*.log || { echo 'the service met a defect of its own' >&2; return 1; }
}
