#!/usr/bin/env bash
# Runs the commands of a tutorial and compares their output: tutorial.sh <java home> <lb.jar> <page>.
#
# In console blocks, a line that begins with "$ " is a command, and the lines after it are its output. A command that
# changes nothing is repeated until its output is as expected, since processes need time to start. A yaml block is the file
# that the text before it names ("Save this as"). Times, users and leaders may differ; ports are replaced by random ones.
set -euo pipefail
shopt -s expand_aliases

jar=$(readlink -f "$2")
page=$(readlink -f "$3")
# shellcheck disable=SC2139 # expanded here
alias lb="$1/bin/java -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -jar $jar"
if ! command -v python3 >/dev/null || ! command -v curl >/dev/null; then
    echo "  skipped: needs python3 and curl"
    exit 0
fi
work=$(mktemp -d)
mkdir "$work/empty"
cd "$work/empty"
set -m # the tutorial stops jobs by their numbers
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null; rm -rf "$work"' EXIT

# Port 8001 becomes 20001 for example, and so on for 700N, 808N and 900N.
base=$((200 + RANDOM % 120))
here="s/127\.0\.0\.1:700/127.0.0.1:${base}2/g; s/127\.0\.0\.1:800/127.0.0.1:${base}0/g
      s/127\.0\.0\.1:808/127.0.0.1:${base}3/g; s/127\.0\.0\.1:900/127.0.0.1:${base}1/g; s/ 808\([0-9]\)/ ${base}3\1/g"

# Restores the ports of the tutorial, and hides what differs from run to run.
normalize() {
    sed -E "s/:${base}0([0-9])/:800\1/g; s/:${base}1([0-9])/:900\1/g; s/:${base}2([0-9])/:700\1/g
            s/:${base}3([0-9])/:808\1/g; s/[0-9.]+ ms/TIME/; s/[0-9]+ s( |\$)/TIME\1/; s/[0-9]+ d( |\$)/DAYS\1/; s/leader n[0-9]/leader NODE/
            s/^(n[0-9]) +(leader|voter)/\1 ROLE/; s/(override|enabled) by [^: ]+/\1 by USER/
            s/[0-9]+ bytes, sha256 [0-9a-f]+/SIZE/
            s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/TIME/; s/ +/ /g"
}

status=0
commands=0

# run <command> <expected output>
run() {
    local command expected tries=1
    command=$(sed "$here" <<<"$1")
    expected=$(normalize <<<"$2")
    commands=$((commands + 1))
    if [ "${command% &}" != "$command" ]; then
        eval "$command"
        return
    fi
    case $command in
    *" cluster status "* | *"curl "*) tries=240 ;;
    esac
    while :; do
        # The command may print the exit code of the one before.
        set +e
        (exit "$status")
        eval "$command" >"$work/out" 2>&1
        status=$?
        set -e
        [ "$(normalize <"$work/out")" != "$expected" ] || return 0
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || break
        sleep 0.25
    done
    printf '  FAILED  %s\n' "$1"
    diff <(printf '%s\n' "$expected") <(normalize <"$work/out") | sed 's/^/          /' || true
    tail -n 5 ./*.log
    exit 1
}

block='' file='' command='' output=''
finish_command() {
    [ -z "$command" ] || run "$command" "${output%$'\n'}"
    command='' output=''
}

while IFS= read -r line <&3; do
    case $block:$line in
    :'```console' | :'```yaml') block=${line#'```'} ;;
    *:'```')
        finish_command
        block=
        ;;
    console:'$ alias lb='*) ;;
    console:'$ '*)
        finish_command
        command=${line#'$ '}
        ;;
    console:*) output+=$line$'\n' ;;
    yaml:*) sed "$here" <<<"$line" >>"$file" ;;
    :*'Save this as `'*)
        file=${line#*'Save this as `'}
        file=${file%%'`'*}
        ;;
    esac
done 3<"$page"

[ "$commands" -gt 10 ] || {
    echo "  FAILED  only $commands commands in $page"
    exit 1
}
echo "  ok      $commands commands of ${page##*/} have the documented effect"
