"""Hosts of a test network: a network namespace each, connected by a bridge. Needs root."""

import subprocess
from pathlib import Path

_NETWORK = "10.77"
# The limits of the table of neighbors, which all network namespaces share. By default, it has 1,024 entries; each host has one
# for every other host.
_NEIGHBOR_LIMITS = [Path(f"/proc/sys/net/ipv4/neigh/default/gc_thresh{i}") for i in (3, 2, 1)]


def _run(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


class Network:
    """`count` hosts with numbers from 1. Use it as a context manager. Two bridges: hosts on different ones cannot reach each other,
    and packets between them are dropped without an error. Entering removes hosts of an earlier network with the same prefix."""

    def __init__(self, count, prefix="lbc"):
        self.numbers = list(range(1, count + 1))
        self.prefix = prefix
        self._hub = f"{prefix}-hub"
        self._previous_limits = {}

    def __enter__(self):
        self.close()
        try:
            self._build()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _build(self):
        self._raise_neighbor_limits()
        _run("ip", "netns", "add", self._hub)
        for bridge in ("near", "far"):
            self._in_hub("ip", "link", "add", bridge, "type", "bridge")
            self._in_hub("ip", "link", "set", bridge, "up")
        for number in self.numbers:
            self._add(number)

    def _add(self, number):
        name = self._namespace(number)
        _run("ip", "netns", "add", name)
        _run("ip", "link", "add", f"v{number}", "netns", self._hub, "type", "veth", "peer", "name", "eth0", "netns", name)
        self._in_hub("ip", "link", "set", f"v{number}", "master", "near", "up")
        for words in (
            ("link", "set", "lo", "up"),
            ("address", "add", f"{address(number)}/16", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
        ):
            self._at(number, "ip", *words)

    def _raise_neighbor_limits(self):
        needed = 2 * len(self.numbers) ** 2
        for limit in _NEIGHBOR_LIMITS:
            value = int(limit.read_text())
            if value < needed:
                self._previous_limits[limit] = value
                limit.write_text(str(needed))

    def __exit__(self, *_):
        self.close()
        for limit, value in reversed(self._previous_limits.items()):
            limit.write_text(str(value))

    def close(self):
        listed = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True).stdout
        for line in listed.splitlines():
            name = line.split()[0]
            if name.startswith(f"{self.prefix}-"):
                _run("ip", "netns", "delete", name)

    def add_address(self, number, extra):
        """Gives a host another address of the network."""
        self._at(number, "ip", "address", "add", f"{extra}/16", "dev", "eth0")

    def command(self, number, words):
        """Returns a command that runs on a host."""
        return ["ip", "netns", "exec", self._namespace(number), *words]

    # ---- faults; heal() ends all of them

    def separate(self, numbers):
        """Cuts these hosts off from the others, but not from each other."""
        for number in numbers:
            self._in_hub("ip", "link", "set", f"v{number}", "master", "far")

    def cut_direction(self, source, target):
        """Drops packets from one host to another."""
        self._at(source, "ip", "route", "replace", "blackhole", f"{address(target)}/32")

    def disconnect(self, number):
        self._in_hub("ip", "link", "set", f"v{number}", "down")

    def connect(self, number):
        self._in_hub("ip", "link", "set", f"v{number}", "up")

    def heal(self):
        for number in self.numbers:
            self._in_hub("ip", "link", "set", f"v{number}", "master", "near", "up")
            routes = subprocess.run(
                self.command(number, ["ip", "route", "show", "type", "blackhole"]), check=True, capture_output=True, text=True
            ).stdout
            for line in routes.splitlines():
                self._at(number, "ip", "route", "delete", "blackhole", line.split()[1])

    def _in_hub(self, *words):
        _run("ip", "netns", "exec", self._hub, *words)

    def _at(self, number, *words):
        _run(*self.command(number, words))

    def _namespace(self, number):
        return f"{self.prefix}-{number}"


def address(number):
    return f"{_NETWORK}.{number // 200}.{number % 200 + 1}"
