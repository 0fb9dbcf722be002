"""A control group that limits the CPU of its processes. Requires root or a delegated group."""

import os
import time
from pathlib import Path

from harness.workplace import Failure

_ROOT = Path("/sys/fs/cgroup")
_PERIOD_US = 100_000


class CpuGroup:
    """A group of processes that together may use `share` of one CPU. Use it as a context manager."""

    def __init__(self, name, share):
        self._unified = (_ROOT / "cgroup.controllers").exists()
        parent = _ROOT if self._unified else _ROOT / "cpu"
        self._directory = parent / f"{name}-{os.getpid()}"
        self._share = share

    @staticmethod
    def why_not():
        """Returns the reason why no group can be created on this machine; empty if one can."""
        if (_ROOT / "cgroup.controllers").exists():
            controllers = (_ROOT / "cgroup.subtree_control").read_text().split()
            if "cpu" not in controllers:
                return f"{_ROOT}/cgroup.subtree_control does not contain cpu"
            directory = _ROOT
        elif (_ROOT / "cpu").is_dir():
            directory = _ROOT / "cpu"
        else:
            return f"no cpu controller is mounted below {_ROOT}"
        return "" if os.access(directory, os.W_OK) else f"{directory} cannot be written to"

    @property
    def version(self):
        return "v2" if self._unified else "v1"

    def __enter__(self):
        try:
            self._directory.mkdir()
            quota = int(self._share * _PERIOD_US)
            if self._unified:
                (self._directory / "cpu.max").write_text(f"{quota} {_PERIOD_US}")
            else:
                (self._directory / "cpu.cfs_period_us").write_text(str(_PERIOD_US))
                (self._directory / "cpu.cfs_quota_us").write_text(str(quota))
        except OSError as error:
            raise Failure(f"cannot create a control group with a CPU limit: {error}") from None
        return self

    def command(self, command):
        """Returns the command line that runs `command` in the group."""
        enter = f'echo $$ > {self._directory}/cgroup.procs && exec "$@"'
        return ["/bin/sh", "-c", enter, "sh", *command]

    def add(self, pid):
        """Moves a process into the group, with all of its threads."""
        (self._directory / "cgroup.procs").write_text(str(pid))

    def throttled_seconds(self):
        """Returns the total time for which processes were throttled, summed over all CPUs."""
        for line in (self._directory / "cpu.stat").read_text().splitlines():
            name, value = line.split()
            if name == "throttled_usec":
                return int(value) / 1e6
            if name == "throttled_time":
                return int(value) / 1e9
        return 0.0

    def __exit__(self, *_):
        # Exited processes leave the group a moment later.
        end = time.monotonic() + 5
        while True:
            try:
                self._directory.rmdir()
                return
            except OSError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
