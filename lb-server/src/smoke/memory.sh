#!/usr/bin/env bash
# Tests the packaged jar in control groups with little memory: memory.sh <java home> <root of the source tree> <lb.jar>.
# Needs root, or a control group for memory that this user may write; `memory.sh --possible` fails if there is none.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    groups=/sys/fs/cgroup limit=memory.max
    grep -qw memory "$groups/cgroup.subtree_control" || groups=
else
    groups=/sys/fs/cgroup/memory limit=memory.limit_in_bytes
fi
group=$groups/ballast-smoke-$$
if [ -z "$groups" ] || ! mkdir "$group" 2>/dev/null; then
    echo "no control group for memory can be created below /sys/fs/cgroup"
    exit 1
fi
if [ "$1" = --possible ]; then
    rmdir "$group"
    exit
fi
export LB_JAVA=$1
root=$2
unset LB_ARCHIVE LB_JAVA_OPTS LB_VERBOSE
work=$(mktemp -d)
# A process leaves its group a moment after its end.
trap 'rm -rf "$work"; for attempt in $(seq 50); do rmdir "$group" 2>/dev/null && break; sleep 0.1; done' EXIT
export XDG_CACHE_HOME=$work/cache

mkdir "$work/bin" "$work/lib"
cp "$root"/bin/lb "$root"/bin/*.sh "$root"/bin/*.options "$work/bin"
cp "$3" "$work/lib/lb.jar"
# A training run would begin at once.
sed -i 's/^readonly ARCHIVE_DELAY_SECONDS=.*/readonly ARCHIVE_DELAY_SECONDS=0/' "$work/bin/archive.sh"

echo $((96 << 20)) >"$group/$limit"
"$LB_JAVA/bin/java" "$here/MemorySmokeTest.java" "$work/bin/lb" "$group" refuses
echo $((128 << 20)) >"$group/$limit"
"$LB_JAVA/bin/java" "$here/MemorySmokeTest.java" "$work/bin/lb" "$group" serves
for peak in "$group/memory.max_usage_in_bytes" "$group/memory.peak"; do
    [ ! -r "$peak" ] || echo "most memory with a limit of 128 MiB: $(($(cat "$peak") >> 20)) MiB"
done
for events in "$group/memory.oom_control" "$group/memory.events"; do
    if [ -r "$events" ] && grep '^oom_kill [1-9]' "$events"; then
        echo "the kernel killed a process"
        exit 1
    fi
done
[ -z "$(find "$work/lib" -name 'lb-*')" ] || { echo "an archive was created"; exit 1; }
