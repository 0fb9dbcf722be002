#!/usr/bin/env bash
# Tests the Debian package: deb.sh <root of the source tree>. Builds and installs the package, runs the command of its systemd
# unit as the user of the service, reloads valid and invalid configurations, and purges the package. Afterwards, the machine is
# unchanged. Needs root, dpkg, and Java installed from a package.
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
    echo "not tested: ballast is already installed, or one of its paths exists" >&2
    exit 1
fi
! getent passwd ballast >/dev/null || had_user=yes
trap clean EXIT

package=$("$root/bin/package" deb "$work")
dpkg-deb --info "$package" >/dev/null
dpkg-deb --contents "$package" >"$work/contents"
! grep -v ' root/root ' "$work/contents" || { echo "a file does not belong to root"; exit 1; }
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

# Use the package's configuration with a loopback address derived from the process id, so that no other process uses its ports.
host=127.$((64 | ($$ >> 16 & 63))).$(($$ >> 8 & 255)).$(($$ & 255))
sed -i -e "s/127.0.0.1:8000/$host:8000/" -e "s/127.0.0.1:8001/$host:8001/" /etc/ballast/ballast.yaml
command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/ballast.service)
reload=$(sed -n 's/^ExecReload=//p' /usr/lib/systemd/system/ballast.service)
cd /var/lib/ballast
# Without a class archive, because a background task that creates one would conflict with the removal below.
# shellcheck disable=SC2086
setpriv --reuid ballast --regid ballast --clear-groups --no-new-privs env HOME=/var/lib/ballast LB_ARCHIVE=off \
    $command >"$work/out" 2>&1 &
pid=$!

# answers <text>: waits until the listener's response contains the text.
answers() {
    for _ in $(seq 600); do
        if curl -s --max-time 10 "http://$host:8000/" | grep -q "$1"; then
            return
        fi
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.2
    done
    echo "no response that contains '$1'"
    cat "$work/out"
    exit 1
}
answers "Ballast is installed"

sed -i 's/Ballast is installed\./reloaded/' /etc/ballast/ballast.yaml
# shellcheck disable=SC2086
$reload
answers reloaded
echo 'nonsense: 1' >>/etc/ballast/ballast.yaml
if $reload 2>"$work/rejected"; then
    echo "an invalid configuration was accepted"
    exit 1
fi
grep -q "unknown key 'nonsense'" "$work/rejected"
answers reloaded

kill -TERM "$pid"
code=0
wait "$pid" || code=$?
pid=
[ "$code" -eq 0 ] || { echo "exit code $code"; cat "$work/out"; exit 1; }

cd /
wanted=/etc/systemd/system/multi-user.target.wants/ballast.service # created by `systemctl enable`
[ ! -d "${wanted%/*}" ] || ln -s /usr/lib/systemd/system/ballast.service "$wanted"
dpkg --remove ballast >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
[ -e /etc/ballast/ballast.yaml ] && [ -d /var/lib/ballast ] || { echo "remove deleted the configuration or the state"; exit 1; }
[ ! -e /usr/lib/ballast ] || { echo "remaining files:"; find /usr/lib/ballast; exit 1; }
dpkg --purge ballast >"$work/log" 2>&1
[ ! -e /etc/ballast ] && [ ! -e /var/lib/ballast ] && [ ! -L "$wanted" ] || { echo "files remain after the purge"; exit 1; }
echo "built, installed, started, reloaded, stopped and removed in $SECONDS s"
