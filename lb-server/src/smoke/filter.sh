#!/usr/bin/env bash
# Builds and runs the example filter: filter.sh <java home with javac> <lb.jar> <root of the source tree>.
set -euo pipefail

java=$1/bin/java
javac=$1/bin/javac
jar=$2
example=$3/examples/filter
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

if [ ! -x "$javac" ]; then
    echo "  skipped: $1 has no compiler"
    exit 0
fi

# The class path contains only the filter API, as for authors of filters.
mkdir "$work/api" "$work/classes"
(cd "$work/api" && "$1/bin/jar" xf "$jar" io/ballast/filter)
"$javac" --release 17 -Xlint:all -Werror -proc:none -cp "$work/api" -d "$work/classes" \
    "$example"/src/main/java/com/example/audit/*.java
cp -r "$example/src/main/resources/." "$work/classes"
mkdir "$work/target"
"$1/bin/jar" --create --file "$work/target/audit.jar" -C "$work/classes" .

port=$((20000 + RANDOM % 20000))
sed "s/127\.0\.0\.1:8000/127.0.0.1:$port/" "$example/ballast.yaml" >"$work/ballast.yaml"
printf 'dashboard: {enabled: false}\ndata_dir: %s/data\n' "$work" >>"$work/ballast.yaml"
"$java" -jar "$jar" check "$work/ballast.yaml"
echo "  ok      the example compiles against the filter API, and lb check accepts its configuration"

"$java" -jar "$jar" run "$work/ballast.yaml" >"$work/out" 2>&1 &
server=$!

# status <path>: prints the status of the response to a GET request.
status() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n' "$1" >&3
    head -n 1 <&3 | cut -d ' ' -f 2
    exec 3>&-
}

# On a busy machine a start takes many seconds; a process that ended is a failure at once.
for _ in $(seq 600); do
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
    kill -0 "$server" || break
    sleep 0.2
done
if [ "$(status /internal/)" != 403 ] || [ "$(status /api/)" != 401 ]; then
    echo "  FAILED  the responses of the example differ from its README"
    cat "$work/out"
    exit 1
fi
echo "  ok      the example blocks a path and requires an API key"
