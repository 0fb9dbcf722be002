#!/usr/bin/env bash
# Tests the RPM package: rpm.sh <root of the source tree>. Builds the package twice, which must give the same bytes, checks its
# metadata, unpacks it into a temporary directory and runs it from there. Installs nothing. Needs rpmbuild and rpm.
set -euo pipefail

root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/again" "$work/root"

package=$("$root/bin/package" rpm "$work")
again=$("$root/bin/package" rpm "$work/again")
cmp "$package" "$again" || { echo "two builds differ"; exit 1; }

# query <option> <pattern>: checks that the output of an rpm query matches.
query() {
    rpm --dbpath "$work/db" -qp "--$1" "$package" 2>"$work/err" >"$work/answer"
    grep -q -- "$2" "$work/answer" || { echo "the output of --$1 does not match '$2':"; cat "$work/answer" "$work/err"; exit 1; }
}
query info '^License *: Apache-2.0'
query requires '^java-headless >= 1:17'
query configfiles '^/etc/ballast/ballast.yaml$'
query scripts 'systemctl --no-reload disable --now ballast.service'
for path in /usr/bin/lb /usr/lib/ballast/lib/lb.jar /usr/lib/systemd/system/ballast.service /usr/share/man/man1/lb.1.gz \
    /usr/share/bash-completion/completions/lb /var/lib/ballast; do
    query list "^$path\$"
done
rpm --dbpath "$work/db" -qp --queryformat '[%{FILEUSERNAME} %{FILENAMES}\n]' "$package" >"$work/owners" 2>/dev/null
! grep -v -e '^root ' -e '^ballast /var/lib/ballast$' "$work/owners" || { echo "a file has an unexpected owner"; exit 1; }

(cd "$work/root" && rpm2cpio "$package" | cpio -idm --quiet)
LB_ARCHIVE=off "$work/root/usr/bin/lb" version
LB_ARCHIVE=off "$work/root/usr/bin/lb" check "$work/root/etc/ballast/ballast.yaml"

mkdir "$work/sums"
cp "$package" "$work/sums"
"$root/bin/package" checksums "$work/sums" >/dev/null
(cd "$work/sums" && sha256sum --check --quiet SHA256SUMS)
echo "built, queried, unpacked and run in $SECONDS s"
