#!/usr/bin/env bash
# Tries the package for Debian: deb.sh <root of the source tree>. Builds it, installs it, starts what its unit starts, reloads,
# refuses a bad file, and removes it; the machine is as before. Needs root, dpkg and a Java that a package brought. Where
# systemd does not run, the unit's command is run by hand as its user.
set -euo pipefail

root=$1
work=$(mktemp -d)
pid=
clean() {
    [ -z "$pid" ] || kill "$pid" 2>/dev/null || true
    dpkg --purge ballast >/dev/null 2>&1 || true
    [ -n "${had_user:-}" ] || userdel ballast 2>/dev/null || true
    rm -rf "$work"
}
if dpkg -s ballast >/dev/null 2>&1 || [ -e /usr/bin/lb ] || [ -e /etc/ballast ]; then
    echo "ballast, or something in its place, is installed: nothing is tried" >&2
    exit 1
fi
! getent passwd ballast >/dev/null || had_user=yes
trap clean EXIT

package=$("$root/bin/package" deb "$work")
dpkg-deb --info "$package" >/dev/null
dpkg-deb --contents "$package" >"$work/contents"
! grep -v ' root/root ' "$work/contents" || { echo "belongs to somebody"; exit 1; }
for path in ./usr/bin/lb ./usr/lib/ballast/lib/lb.jar ./etc/ballast/ballast.yaml ./usr/share/man/man1/lb.1.gz \
    ./usr/lib/systemd/system/ballast.service ./usr/share/bash-completion/completions/lb; do
    grep -q " $path\( \|\$\)" "$work/contents" || { echo "$path is missing"; exit 1; }
done

dpkg --install "$package" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
lb check /etc/ballast/ballast.yaml
zcat /usr/share/man/man1/lb.1.gz | grep -q '^.SH "LB RESTART"'
bash -n /usr/share/bash-completion/completions/lb
[ "$(stat -c '%U %a' /var/lib/ballast)" = "ballast 700" ]
if command -v systemd-analyze >/dev/null; then
    systemd-analyze verify /usr/lib/systemd/system/ballast.service 2>"$work/verify" || true
    ! grep ballast.service "$work/verify" || { echo "the unit is faulty"; exit 1; }
fi

# The file of the package, at a loopback address that belongs to this trial alone, as its number does: nobody else can take its
# ports meanwhile.
host=127.$((64 | ($$ >> 16 & 63))).$(($$ >> 8 & 255)).$(($$ & 255))
sed -i -e "s/127.0.0.1:8000/$host:8000/" -e "s/127.0.0.1:8001/$host:8001/" /etc/ballast/ballast.yaml
command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/ballast.service)
reload=$(sed -n 's/^ExecReload=//p' /usr/lib/systemd/system/ballast.service)
cd /var/lib/ballast
# Without an archive of classes: what made one in the background would run into the removal below.
# shellcheck disable=SC2086
setpriv --reuid ballast --regid ballast --clear-groups --no-new-privs env HOME=/var/lib/ballast LB_ARCHIVE=off \
    $command >"$work/out" 2>&1 &
pid=$!

# answers <text>: waits until the listener's answer has the text in it.
answers() {
    for _ in $(seq 600); do
        if curl -s --max-time 10 "http://$host:8000/" | grep -q "$1"; then
            return
        fi
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.2
    done
    echo "no answer with '$1'"
    cat "$work/out"
    exit 1
}
answers "Ballast is installed"

sed -i 's/Ballast is installed\./reloaded/' /etc/ballast/ballast.yaml
# shellcheck disable=SC2086
$reload
answers reloaded
echo 'nonsense: 1' >>/etc/ballast/ballast.yaml
if $reload 2>"$work/refused"; then
    echo "a bad file was taken"
    exit 1
fi
grep -q "unknown key 'nonsense'" "$work/refused"
answers reloaded

kill -TERM "$pid"
code=0
wait "$pid" || code=$?
pid=
[ "$code" -eq 0 ] || { echo "ended with $code"; cat "$work/out"; exit 1; }

cd /
wanted=/etc/systemd/system/multi-user.target.wants/ballast.service # as `systemctl enable` makes it
[ ! -d "${wanted%/*}" ] || ln -s /usr/lib/systemd/system/ballast.service "$wanted"
dpkg --remove ballast >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ -e /etc/ballast/ballast.yaml ] && [ -d /var/lib/ballast ] || { echo "remove took the configuration or the state"; exit 1; }
[ ! -e /usr/lib/ballast ] || { echo "left behind:"; find /usr/lib/ballast; exit 1; }
dpkg --purge ballast >"$work/log" 2>&1
[ ! -e /etc/ballast ] && [ ! -e /var/lib/ballast ] && [ ! -L "$wanted" ] || { echo "purge left something"; exit 1; }
echo "built, installed, started, reloaded, refused, stopped and removed in $SECONDS s"
