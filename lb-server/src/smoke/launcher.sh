#!/usr/bin/env bash
# Tries bin/lb: launcher.sh <root of the source tree> <lb.jar>. It must find the finished jar, and work as installed.
set -euo pipefail

root=$1
jar=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

before=$(stat -c %Y "$jar")
"$root/bin/lb" version >"$work/out" 2>"$work/err"
cat "$work/out" "$work/err"
[ ! -s "$work/err" ]
[ "$(stat -c %Y "$jar")" = "$before" ] || { echo "built again what was up to date"; exit 1; }

mkdir "$work/bin" "$work/lib"
cp "$root"/bin/lb "$root"/bin/*.sh "$root"/bin/*.options "$work/bin"
cp "$jar" "$work/lib"
"$work/bin/lb" version >"$work/installed" 2>"$work/err"
[ ! -s "$work/err" ]
cmp "$work/out" "$work/installed"
