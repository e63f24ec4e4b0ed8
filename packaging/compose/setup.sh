#!/bin/sh
# Run by compose before everything else, without a network: makes the certificates and passwords that the containers
# use among themselves, and the files that name them. What exists is kept, so it may run at every start.
#
#   ca/         ca.pem, the authority, and bundle.pem, the authorities of the system with it
#   postgres/   certificate, key, and the passwords of the superuser and of the role of the service
#   valkey/     certificate, key, and the configuration with the password
#   node/       certificate, key, and the settings with both addresses
#
# The key of the authority is deleted at once, so nothing else can be issued. To renew the certificates, which are valid
# for ten years, delete ca/ca.pem and start again.
set -eu
umask 077
base=${1:-/run/tidewall}
authorities=${2:-/etc/ssl/certs/ca-certificates.crt}
days=3650
mkdir -p "$base/ca" "$base/postgres" "$base/valkey" "$base/node"

# name, names in the certificate
issue() {
    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config "$work/openssl.cnf" \
        -subj "/CN=$1" -keyout "$base/$1/server.key" -out "$work/$1.csr" 2>/dev/null
    printf 'basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth\nsubjectAltName=%s\n' "$2" \
        > "$work/$1.ext"
    openssl x509 -req -in "$work/$1.csr" -CA "$work/ca.pem" -CAkey "$work/ca.key" -CAcreateserial -days "$days" \
        -sha256 -extfile "$work/$1.ext" -out "$base/$1/server.pem" 2>/dev/null
}

if [ ! -e "$base/ca/ca.pem" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    cat > "$work/openssl.cnf" <<'CNF'
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
CNF
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config "$work/openssl.cnf" \
        -extensions authority -days "$days" -sha256 -subj "/CN=Tidewall containers" \
        -keyout "$work/ca.key" -out "$work/ca.pem" 2>/dev/null
    issue postgres "DNS:postgres,DNS:localhost"
    issue valkey "DNS:valkey,DNS:localhost"
    issue node "DNS:node-1,DNS:node-2,DNS:localhost"
    # Last: only now everything is complete.
    cp "$work/ca.pem" "$base/ca/ca.pem"
fi

# Written anew every time, because the authorities of the system change with its image.
cat "$authorities" "$base/ca/ca.pem" > "$base/ca/bundle.pem"

password() {
    [ -e "$1" ] || printf '%s' "${2:-$(openssl rand -hex 24)}" > "$1"
}
password "$base/postgres/superuser-password"
# POSTGRES_PASSWORD is the password of an installation that was made before passwords were made here.
password "$base/postgres/tidewall-password" "${POSTGRES_PASSWORD:-}"

if [ ! -e "$base/valkey/valkey.conf" ]; then
    cat > "$base/valkey/valkey.conf" <<CONF
# Counters only: nothing here is worth a disk.
save ""
appendonly no
maxmemory 64mb
maxmemory-policy volatile-ttl
port 0
tls-port 6379
tls-cert-file $base/valkey/server.pem
tls-key-file $base/valkey/server.key
tls-ca-cert-file $base/ca/ca.pem
tls-auth-clients no
requirepass $(openssl rand -hex 24)
CONF
fi

if [ ! -e "$base/node/tidewall.toml" ]; then
    counters=$(sed -n 's/^requirepass //p' "$base/valkey/valkey.conf")
    cat > "$base/node/tidewall.toml" <<TOML
database_url = "postgres://tidewall:$(cat "$base/postgres/tidewall-password")@postgres:5432/tidewall?sslmode=verify-full"
redis_url = "rediss://:$counters@valkey:6379"

[tls]
cert_file = "$base/node/server.pem"
key_file = "$base/node/server.key"
TOML
fi

chmod 755 "$base/ca"
chmod 644 "$base/ca/ca.pem" "$base/ca/bundle.pem"
# The users of the images.
if [ "$(id -u)" = 0 ]; then
    chown -R 70:70 "$base/postgres"
    chown -R 999:1000 "$base/valkey"
    chown -R 65532:65532 "$base/node"
fi
