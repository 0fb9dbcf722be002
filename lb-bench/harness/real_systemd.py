"""The program behind lb-bench/systemd: the Debian package under a real systemd."""

import argparse
import os
import shutil
import subprocess
from pathlib import Path

from harness import conditions, report
from harness.workplace import BENCH, ROOT, Failure, Workplace, run_program, say

_STEPS = "/root/steps"
_PACKAGE = "/root/ballast.deb"
_RESULT = "/root/result"
_MAX_SECONDS = 600
_UNIT = f"""[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=/bin/bash -c '{_STEPS} {_PACKAGE} >{_RESULT} 2>{_RESULT}.errors'
ExecStopPost=/bin/systemctl --no-block poweroff
TimeoutStartSec={_MAX_SECONDS}
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="systemd",
        description="Boots systemd in a container over this system's files, installs the Debian package, and starts, reloads,"
        " restarts, kills, stops and removes it.",
    )
    parser.add_argument("--out", type=Path, help="write the report to this file")
    options = parser.parse_args(arguments)
    return run_program("systemd", _run, options.out)


def _run():
    """Returns (report, whether there was no problem)."""
    for tool in ("systemd-nspawn", "dpkg"):
        if shutil.which(tool) is None:
            raise Failure(f"{tool} is missing (apt-get install systemd-container)")
    if os.geteuid() != 0:
        raise Failure("only root can boot a container")
    with Workplace() as place:
        facts = conditions.gather()
        facts.append(("systemd", subprocess.run(["systemd-nspawn", "--version"], capture_output=True, text=True).stdout.split()[1]))
        say("building the package")
        subprocess.run([ROOT / "bin/package", "deb", place.directory], check=True, stdout=subprocess.DEVNULL)
        package = next(Path(place.directory).glob("*.deb"))
        rows, good = _in_container(Path(place.directory), package)
    return "\n\n".join(
        [
            "# systemd",
            "The Debian package in a container with its own systemd over this system's files, and a network of"
            " its own; the container is discarded afterwards.",
            report.conditions(facts),
            report.table(["step", "result"], rows),
        ]
    ), good


def _in_container(directory, package):
    layer = directory / "layer"
    layer.mkdir()
    _call("mount", "-t", "tmpfs", "-o", "size=2g", "tmpfs", layer)
    try:
        for name in ("upper", "work", "root"):
            (layer / name).mkdir()
        root = layer / "root"
        _call("mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={layer}/upper,workdir={layer}/work", root)
        try:
            _prepare(root, package)
            say("booting")
            command = ["systemd-nspawn", "-q", "-D", root, "--register=no", "--keep-unit", "--private-network"]
            with open(directory / "console", "wb") as console:
                subprocess.run(
                    [*command, "--console=passive", "--boot", "-M", f"ballast-{os.getpid()}"],
                    stdin=subprocess.DEVNULL,
                    stdout=console,
                    stderr=subprocess.STDOUT,
                    timeout=_MAX_SECONDS + 60,
                    check=False,
                )
            return _read(root)
        finally:
            _call("umount", root)
    finally:
        _call("umount", layer)


def _prepare(root, package):
    """Disables all other services in the container."""
    units = root / "etc/systemd/system"
    for wanted in list(units.glob("*.wants/*")):
        wanted.unlink()
    (root / "etc/machine-id").write_text("")
    (units / "steps.service").write_text(_UNIT)
    target = units / "multi-user.target.wants"
    target.mkdir(exist_ok=True)
    (target / "steps.service").symlink_to("../steps.service")
    shutil.copy(package, root / _PACKAGE[1:])
    shutil.copy(BENCH / "harness/systemd_steps.sh", root / _STEPS[1:])
    (root / _STEPS[1:]).chmod(0o755)


def _read(root):
    result = root / _RESULT[1:]
    lines = result.read_text().splitlines() if result.exists() else []
    rows = [line.split("\t", 1) for line in lines if "\t" in line]
    if lines[-1:] != ["end"]:
        errors = Path(str(result) + ".errors")
        rows.append(["not finished", errors.read_text()[-500:].replace("\n", " ") if errors.exists() else "did not start"])
    return rows, lines[-1:] == ["end"]


def _call(*words):
    subprocess.run([str(word) for word in words], check=True)
