#!/bin/sh
# Replaces the running service by the installed version, after an upgrade of the package: upgrade.sh
#
# `lb restart` loses no connection. Where that is impossible (see "Restart without downtime" in the documentation), systemd
# restarts the service, but only with a configuration that the new version accepts: otherwise the healthy process would stop
# for good. A service that is stopped stays stopped. The exit code is always 0, since the package itself is installed.
file=/etc/ballast/ballast.yaml

# Runs lb with the user, the directory and the variables of the service.
as_service() {
    systemd-run --quiet --wait --pipe --collect -p User=ballast -p EnvironmentFile=-/etc/ballast/environment \
        -p WorkingDirectory=/var/lib/ballast /usr/bin/lb "$@"
}

systemctl is-active --quiet ballast.service || exit 0
if as_service restart "$file"; then
    exit 0
fi
as_service check "$file"
case $? in
0)
    echo "ballast: systemd restarts the service, because lb restart could not replace the running process" >&2
    systemctl try-restart ballast.service || echo "ballast: the service did not restart; see journalctl -u ballast" >&2
    ;;
2)
    echo "ballast: the former version goes on, because the new one does not accept $file." \
        "Correct the file, then run: systemctl restart ballast" >&2
    ;;
*)
    echo "ballast: the former version goes on, because lb check could not be run (see above)." \
        "Remove the cause, then run: systemctl restart ballast" >&2
    ;;
esac
exit 0
