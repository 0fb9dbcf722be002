#!/usr/bin/env bash
# Tries the package for Fedora and its like: rpm.sh <root of the source tree>. Builds it twice, which must give the same bytes, asks
# rpm what is in it, unpacks it elsewhere and runs what is there. Nothing is installed on this machine. Needs rpmbuild and rpm.
set -euo pipefail

root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/again" "$work/root"

package=$("$root/bin/package" rpm "$work")
again=$("$root/bin/package" rpm "$work/again")
cmp "$package" "$again" || { echo "built twice, it differs"; exit 1; }

# asked <what> <text>: rpm's answer holds a line.
asked() {
    rpm --dbpath "$work/db" -qp "--$1" "$package" 2>"$work/err" >"$work/answer"
    grep -q -- "$2" "$work/answer" || { echo "--$1 does not say '$2':"; cat "$work/answer" "$work/err"; exit 1; }
}
asked info '^License *: Apache-2.0'
asked requires '^java-headless >= 1:17'
asked configfiles '^/etc/ballast/ballast.yaml$'
asked scripts 'systemctl --no-reload disable --now ballast.service'
for path in /usr/bin/lb /usr/lib/ballast/lib/lb.jar /usr/lib/systemd/system/ballast.service /usr/share/man/man1/lb.1.gz \
    /usr/share/bash-completion/completions/lb /var/lib/ballast; do
    asked list "^$path\$"
done
rpm --dbpath "$work/db" -qp --queryformat '[%{FILEUSERNAME} %{FILENAMES}\n]' "$package" >"$work/owners" 2>/dev/null
! grep -v -e '^root ' -e '^ballast /var/lib/ballast$' "$work/owners" || { echo "belongs to somebody"; exit 1; }

(cd "$work/root" && rpm2cpio "$package" | cpio -idm --quiet)
LB_ARCHIVE=off "$work/root/usr/bin/lb" version
LB_ARCHIVE=off "$work/root/usr/bin/lb" check "$work/root/etc/ballast/ballast.yaml"

mkdir "$work/sums"
cp "$package" "$work/sums"
"$root/bin/package" checksums "$work/sums" >/dev/null
(cd "$work/sums" && sha256sum --check --quiet SHA256SUMS)
echo "built, queried, unpacked and run in $SECONDS s"
