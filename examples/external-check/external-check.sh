#!/bin/sh
# Lets a program decide whether Ballast uses a backend.
#
# Usage: external-check.sh POOL BACKEND PROGRAM [ARGUMENT]...
#
# While PROGRAM fails, Ballast does not use the backend; the first line of its output is the reason. When PROGRAM
# succeeds, the override is removed. If this script stops running, the override expires after LIFETIME.
#
# BALLAST_API         the dashboard (default: http://127.0.0.1:8001)
# BALLAST_TOKEN_FILE  a file with a token of the role override (default: none)
# BALLAST_STATE       down or drain (default: down)
# LIFETIME            at least twice the interval at which this script runs (default: 3m)
set -u

api=${BALLAST_API:-http://127.0.0.1:8001}
url="$api/api/v1/overrides/$1/$2"
shift 2

# Sends a request and prints its status. The token is not on the command line, where other users could read it.
request() {
    {
        if [ -n "${BALLAST_TOKEN_FILE:-}" ]; then
            printf 'header = "Authorization: Bearer %s"\n' "$(cat "$BALLAST_TOKEN_FILE")"
        fi
    } | curl --config - --silent --show-error --max-time 10 --output /dev/null --write-out '%{http_code}' --get "$@" "$url"
}

if output=$("$@" 2>&1); then
    status=$(request --request DELETE)
    expected='200|404' # 404: there is no override to remove
else
    reason=$(printf '%s\n' "$output" | head -n 1 | cut -c 1-200)
    status=$(request --request PUT \
        --data-urlencode "state=${BALLAST_STATE:-down}" \
        --data-urlencode "expires=${LIFETIME:-3m}" \
        --data-urlencode "reason=$reason")
    expected='200|409' # 409: the last usable backend of the pool stays in use
fi

printf '%s\n' "$status" | grep -Eqx "$expected" || {
    echo "external-check: $url answered with status $status" >&2
    exit 1
}
