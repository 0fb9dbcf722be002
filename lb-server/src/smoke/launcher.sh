#!/usr/bin/env bash
# Tests bin/lb: launcher.sh <root of the source tree> <lb.jar>. It must find an existing jar, in a source tree and installed.
set -euo pipefail

root=$1
jar=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

before=$(stat -c %Y "$jar")
"$root/bin/lb" version >"$work/out" 2>"$work/err"
cat "$work/out" "$work/err"
[ ! -s "$work/err" ]
[ "$(stat -c %Y "$jar")" = "$before" ] || { echo "rebuilt an up-to-date jar"; exit 1; }

# A maximum heap below the default initial heap.
LB_JAVA_OPTS=-Xmx24m "$root/bin/lb" version >"$work/small" 2>"$work/err"
[ ! -s "$work/err" ]
cmp "$work/out" "$work/small"

mkdir "$work/bin" "$work/lib"
cp "$root"/bin/lb "$root"/bin/*.sh "$root"/bin/*.options "$work/bin"
cp "$jar" "$work/lib"
"$work/bin/lb" version >"$work/installed" 2>"$work/err"
[ ! -s "$work/err" ]
cmp "$work/out" "$work/installed"

# In a source tree without a jar, it builds the jar, and prints each module and the duration to stderr, nothing to stdout.
mkdir -p "$work/source/.mvn" "$work/source/lb-server/target" "$work/source/lb-server/src/main"
cp -r "$root/bin" "$work/source/bin"
touch "$work/source/pom.xml" "$work/source/lb-server/pom.xml"
cat >"$work/source/mvnw" <<MAVEN
#!/usr/bin/env bash
echo '[INFO] Downloaded from central: https://repo.example/some.jar (1 kB at 1 kB/s)'
echo '[INFO] Building Ballast core 0.1.0 [1/2]'
echo '[INFO] Building Ballast server 0.1.0 [2/2]'
[ -n "\${LB_TEST_FAILS:-}" ] && { echo '[ERROR] does not compile'; exit 1; }
cp "$jar" lb-server/target/lb.jar
MAVEN
chmod +x "$work/source/mvnw"
if LB_TEST_FAILS=yes "$work/source/bin/lb" version >"$work/built" 2>"$work/err"; then
    echo "continued after a failed build"
    exit 1
fi
grep -q 'does not compile' "$work/err"
"$work/source/bin/lb" version >"$work/built" 2>"$work/err"
cat "$work/err"
cmp "$work/out" "$work/built"
grep -q 'building .*minutes' "$work/err"
grep -q 'Ballast server 0.1.0 \[2/2\]' "$work/err"
grep -q 'built in' "$work/err"

# A build that was killed leaves an incomplete jar that is newer than the sources; the next start builds again.
echo incomplete >"$work/source/lb-server/target/lb.jar"
touch "$work/source/.mvn/build.unfinished"
"$work/source/bin/lb" version >"$work/built" 2>"$work/err"
cmp "$work/out" "$work/built"

# A witness is a voter without listeners. It has the small sizes of an agent, and elects itself as the only voter.
witness=$work/witness
"$root/bin/lb" cluster init edge --directory "$witness" >/dev/null
"$root/bin/lb" cluster cert w --directory "$witness" >/dev/null
cat >"$witness/witness.yaml" <<YAML
cluster:
  name: edge
  bind: 127.0.0.1:0
  peers: []
  voters: [w]
  tls: {certificate: w.crt, key: w.key, ca: ca.crt}
  configuration: local
dashboard: {bind: "127.0.0.1:0"}
data_dir: $witness/data
YAML
"$root/bin/lb" cluster witness "$witness/witness.yaml" 2>"$work/witness.log" &
pid=$!
for _ in $(seq 600); do
    grep -q 'cluster=leader node=w' "$work/witness.log" && break
    sleep 0.1
done
grep -q 'cluster=leader node=w' "$work/witness.log" || { cat "$work/witness.log"; exit 1; }
tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q 'agent[0-9]*\.options'
kill "$pid"
wait "$pid"
echo "a witness ran and ended"
