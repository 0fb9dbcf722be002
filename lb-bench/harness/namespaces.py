"""Hosts of a test network: a network namespace each, connected by a bridge. Needs root."""

import subprocess

_PREFIX = "lbc"
_HUB = f"{_PREFIX}-hub"
_NETWORK = "10.77"


def _run(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True)


class Network:
    """`count` hosts with numbers from 1. Use it as a context manager. Two bridges: hosts on different ones cannot reach each other,
    and packets between them are dropped without an error."""

    def __init__(self, count):
        self.numbers = list(range(1, count + 1))

    def __enter__(self):
        self.close()
        _run("ip", "netns", "add", _HUB)
        for bridge in ("near", "far"):
            self._in_hub("ip", "link", "add", bridge, "type", "bridge")
            self._in_hub("ip", "link", "set", bridge, "up")
        for number in self.numbers:
            self._add(number)
        return self

    def _add(self, number):
        name = _namespace(number)
        _run("ip", "netns", "add", name)
        _run("ip", "link", "add", f"v{number}", "netns", _HUB, "type", "veth", "peer", "name", "eth0", "netns", name)
        self._in_hub("ip", "link", "set", f"v{number}", "master", "near", "up")
        for words in (
            ("link", "set", "lo", "up"),
            ("address", "add", f"{address(number)}/16", "dev", "eth0"),
            ("link", "set", "eth0", "up"),
        ):
            self._at(number, "ip", *words)

    def __exit__(self, *_):
        self.close()

    def close(self):
        listed = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True).stdout
        for line in listed.splitlines():
            name = line.split()[0]
            if name.startswith(f"{_PREFIX}-"):
                _run("ip", "netns", "delete", name)

    def command(self, number, words):
        """Returns a command that runs on a host."""
        return ["ip", "netns", "exec", _namespace(number), *words]

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
        _run("ip", "netns", "exec", _HUB, *words)

    def _at(self, number, *words):
        _run(*self.command(number, words))


def _namespace(number):
    return f"{_PREFIX}-{number}"


def address(number):
    return f"{_NETWORK}.{number // 200}.{number % 200 + 1}"
