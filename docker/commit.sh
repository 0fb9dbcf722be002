#!/bin/sh
# Prints the first twelve digits of the commit that is checked out in directory $1. It reads files of .git, because
# the image's build stage has no git. Prints "unknown" if they are missing.
set -eu

git=$1/.git
commit=unknown
if [ -f "$git/HEAD" ]; then
    read -r kind name <"$git/HEAD" || true
    if [ "$kind" != ref: ]; then
        commit=$kind
    elif [ -f "$git/$name" ]; then
        read -r commit <"$git/$name"
    elif [ -f "$git/packed-refs" ]; then
        commit=$(sed -n "s|^\([0-9a-f]*\) $name\$|\1|p" "$git/packed-refs")
    fi
fi
printf '%.12s\n' "${commit:-unknown}"
