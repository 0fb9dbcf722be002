#!/usr/bin/env bash
# Tests when bin/lb creates a class archive in the background: training.sh <root of the source tree>. The memory limit and
# Java are simulated.
set -euo pipefail

root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LB_ARCHIVE LB_JAVA_OPTS LB_VERBOSE
export XDG_CACHE_HOME=$work/cache calls=$work/calls

mkdir -p "$work/bin" "$work/lib" "$work/java/bin" "$work/java/lib"
cp "$root"/bin/lb "$root"/bin/*.sh "$root"/bin/*.options "$work/bin"
touch "$work/lib/lb.jar" "$work/java/lib/modules"
sed -i 's/^readonly ARCHIVE_DELAY_SECONDS=.*/readonly ARCHIVE_DELAY_SECONDS=0/' "$work/bin/archive.sh"
cat >>"$work/bin/limits.sh" <<'LIMITS'
memory_mb() { printf '%s' "$limit"; }
LIMITS

# A Java that appends its last argument, the command of Ballast, to a file.
printf 'JAVA_VERSION="25.0.1"\n' >"$work/java/release"
cat >"$work/java/bin/java" <<'JAVA'
#!/usr/bin/env bash
printf '%s ' "${!#}" >>"$calls"
JAVA
chmod +x "$work/java/bin/java"
export LB_JAVA=$work/java

# Prints the commands that Java got, sorted, after `lb $2` with a memory limit of $1 MiB. Processes in the background hold
# descriptor 7 too, so cat ends only after all of them.
commands() {
    : >"$calls"
    limit=$1 "$work/bin/lb" "$2" 7>&1 2>/dev/null | cat >/dev/null
    tr ' ' '\n' <"$calls" | sort | xargs
}

is() { # name, expected, actual
    [ "$2" = "$3" ] || { printf '%s: expected "%s", got "%s"\n' "$1" "$2" "$3"; exit 1; }
}

for small in 96 128 639; do
    is "a limit of $small MiB: no second Java" 'run' "$(commands "$small" run)"
done
for large in 640 8192 ''; do
    is "a limit of ${large:-unknown} MiB: a training run" 'run train' "$(commands "$large" run)"
done
is 'another command' 'version' "$(commands 8192 version)"
is 'on request, also with little memory' 'train' "$(commands 128 archive)"
touch "$work/lib/$(cd "$work" && . bin/archive.sh && archive_name "$work/java" "$work/lib/lb.jar" "$work/bin/jvm25.options").0.aot"
is 'an archive exists' 'run' "$(commands 8192 run)"
