#!/bin/sh
# A minimal agent: registers one backend at a node of Ballast, and reports its state every 10 seconds.
#
# Usage: NODE=https://10.0.0.1:8444 CA=ca.crt TOKEN=... agent.sh POOL ADDRESS URL
#
# URL is requested to check the backend. AGENT is the id (default: the host name), STATE_DIR stores the secret.
set -u
pool=$1 address=$2 url=$3
base=$NODE/agents/v1/${AGENT:-$(hostname)}
file=${STATE_DIR:-.}/agent.secret
[ -s "$file" ] || (umask 077 && head -c 32 /dev/urandom | base64 | tr -d '\n=' > "$file")
secret=$(cat "$file")

# Sends a request with a bearer token, and prints the status. The token is not visible to other users.
send() {
    printf 'header = "Authorization: Bearer %s"\n' "$1" | curl --config - --silent --cacert "$CA" --max-time 5 \
        --output /dev/null --write-out '%{http_code}' --header 'Content-Type: application/json' --request "$2" \
        --data "$4" "$base$3"
}

report() {
    send "$secret" PUT /backends "{\"backends\": [{\"pool\": \"$pool\", \"address\": \"$address\", \"state\": \"$1\"}]}"
}

trap '{ report drain; sleep "${DRAIN:-5}"; send "$secret" DELETE "" ""; } > /dev/null; exit 0' TERM INT
while :; do
    if curl --silent --fail --max-time 2 --output /dev/null "$url"; then state=up; else state=down; fi
    status=$(report $state)
    if [ "$status" = 401 ]; then
        hash=$(printf %s "$secret" | sha256sum | cut -d ' ' -f 1)
        status=$(send "$TOKEN" PUT "" "{\"secret_sha256\": \"$hash\"}") && [ "$status" = 200 ] && continue
    fi
    [ "$status" = 200 ] || echo "agent: $base answered with status $status" >&2
    sleep "${INTERVAL:-10}" & wait $!
done
