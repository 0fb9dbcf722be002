#!/usr/bin/env bash
# Runs in a container booted by systemd: systemd_steps.sh <package>. Prints a line per step, with its name and result
# separated by a tab, and "end" after the last one; a failure exits before.
set -euo pipefail

file=/etc/ballast/ballast.yaml

fail() {
    printf 'fault\t%s\n' "$*"
    exit 1
}
row() { printf '%s\t%s\n' "$1" "$2"; }
show() { systemctl show -p "$1" --value ballast; }
says() { curl -s --max-time 10 http://127.0.0.1:8000/ | grep -q "$1" || fail "no response with '$1'"; }
is_running() { [ "$(systemctl is-active ballast)" = active ] || fail "$1: $(systemctl status ballast --no-pager | head -20)"; }

ip link set lo up
dpkg -i "$1" >/dev/null
systemctl enable --now ballast
is_running started
says "Ballast is installed"
began=$(show InactiveExitTimestampMonotonic)
row "ready, from systemctl start to READY=1" "$((($(show ActiveEnterTimestampMonotonic) - began) / 1000)) ms"
row "user, open files" "$(show User), $(show LimitNOFILE)"

sed -i 's/Ballast is installed\./reloaded/' "$file"
systemctl reload ballast || fail "reload"
says reloaded
row "systemctl reload" "the new file is served"

cp "$file" /root/good
echo 'nonsense: 1' >>"$file"
! systemctl reload ballast 2>/dev/null || fail "an invalid file was accepted"
is_running "after an invalid file"
says reloaded
place=$(journalctl -u ballast --no-pager -o cat | grep -o "$file:[0-9:]* unknown key 'nonsense'" | head -1)
[ -n "$place" ] || fail "the journal does not have the reason"
row "systemctl reload with an invalid file" "refused: $place"
cp /root/good "$file"

# load <file>: sends requests until /root/enough exists, and writes "<served> <failed>" to the file.
load() {
    local failed=0 served=0
    until [ -e /root/enough ]; do
        if curl -s -f -o /dev/null --max-time 10 http://127.0.0.1:8000/; then served=$((served + 1)); else failed=$((failed + 1)); fi
    done
    echo "$served $failed" >"$1"
}
load /root/restart-load &
restart_load=$!
processes=$(show MainPID)
for _ in 1 2 3; do
    before=$(show MainPID)
    runuser -u ballast -- lb restart "$file" >/dev/null || fail "lb restart"
    for _ in $(seq 600); do [ "$(show MainPID)" = "$before" ] || break; sleep 0.1; done
    [ "$(show MainPID)" != "$before" ] || fail "systemd does not know the new process"
    is_running "after lb restart"
    processes="$processes, $(show MainPID)"
done
touch /root/enough
wait "$restart_load"
read -r served failed </root/restart-load
[ "$failed" -eq 0 ] || fail "$failed of $((served + failed)) requests failed during lb restart"
[ "$(show NRestarts)" -eq 0 ] || fail "systemd restarted it"
row "lb restart, three times under requests" "main process $processes; $served requests, none failed"

# Both installations run the scripts of an upgrade, because the package is already installed.
rm /root/enough
load /root/upgrade-load &
upgrade_load=$!
before=$(show MainPID)
dpkg -i "$1" >/dev/null 2>/root/upgrade
for _ in $(seq 600); do [ "$(show MainPID)" = "$before" ] || break; sleep 0.1; done
[ "$(show MainPID)" != "$before" ] || fail "the upgrade did not replace the process: $(tail -1 /root/upgrade)"
is_running "after an upgrade"
before=$(show MainPID)
echo 'nonsense: 1' >>"$file"
dpkg -i "$1" >/dev/null 2>/root/upgrade
grep -q 'the former version goes on, because the new one does not accept' /root/upgrade || fail "the upgrade says: $(tail -1 /root/upgrade)"
[ "$(show MainPID)" = "$before" ] || fail "an upgrade with an invalid file replaced the process"
is_running "after an upgrade with an invalid file"
cp /root/good "$file"
touch /root/enough
wait "$upgrade_load"
read -r served failed </root/upgrade-load
[ "$failed" -eq 0 ] || fail "$failed of $((served + failed)) requests failed during the upgrades"
row "upgrade of the package under requests" "process replaced; with an invalid file the former one goes on; $served requests, none failed"

before=$(show MainPID)
kill -9 "$before"
for _ in $(seq 600); do [ "$(show NRestarts)" -eq 1 ] && [ "$(systemctl is-active ballast)" = active ] && break; sleep 0.1; done
is_running "after kill -9"
says reloaded
row "kill -9 of the main process" "restarted by systemd"

# The new process is not systemd's child until the old one, which a pending request body keeps alive, has exited.
mkdir /root/files
truncate -s 1G /root/files/body
/usr/bin/python3 -m http.server -b 127.0.0.1 -d /root/files 8002 >/dev/null 2>&1 &
server=$!
sed -i 's/^listeners:/grace: 10m\npools: {files: {backends: ["127.0.0.1:8002"]}}\nlisteners:\n  - {name: files, bind: "127.0.0.1:8003", pool: files}/' "$file"
systemctl reload ballast || fail "reload with a pending body"
curl -s --retry 60 --retry-delay 1 --retry-all-errors -f -o /dev/null -r 0-0 http://127.0.0.1:8003/body || fail "no body"
curl -s --limit-rate 10k -o /root/body http://127.0.0.1:8003/body &
body=$!
for _ in $(seq 600); do [ -s /root/body ] && break; sleep 0.1; done
former=$(show MainPID)
restarts=$(show NRestarts)
runuser -u ballast -- lb restart "$file" >/dev/null || fail "lb restart with a pending body"
for _ in $(seq 600); do [ "$(show MainPID)" = "$former" ] || break; sleep 0.1; done
next=$(show MainPID)
[ "$next" != "$former" ] && kill -0 "$former" "$body" || fail "the pending body does not keep the old process alive"
kill -9 "$next"
begin=$(date +%s%N)
for _ in $(seq 600); do curl -s -f -o /dev/null --max-time 10 http://127.0.0.1:8000/ && break; sleep 0.05; done
took=$((($(date +%s%N) - begin) / 1000000))
says reloaded
is_running "after kill -9 of the new process"
! kill -0 "$former" 2>/dev/null || fail "the old process is still running"
[ "$(show NRestarts)" -eq $((restarts + 1)) ] || fail "not restarted by systemd"
said=$(journalctl -u ballast --no-pager -o cat | grep -o "process $next, which took over, ended with exit code [0-9]*" | head -1)
[ -n "$said" ] || fail "the journal does not name the failed process"
! wait "$body" || fail "the whole body was transferred"
kill "$server"
row "kill -9 of the new process, while a pending body keeps the old one alive" "served again after $took ms; journal: $said"

systemctl restart ballast || fail "systemctl restart"
says reloaded
systemctl stop ballast || fail "systemctl stop"
[ "$(show Result)" = success ] && [ "$(show ExecMainStatus)" -eq 0 ] || fail "stopped with $(show Result), $(show ExecMainStatus)"
row "systemctl restart, systemctl stop" "exit status 0, result success"

dpkg --purge ballast >/dev/null
[ ! -e /etc/ballast ] && [ ! -e /var/lib/ballast ] && [ ! -e /usr/lib/ballast ] || fail "purge left files"
row "dpkg --purge" "no files left"
echo end
