"""Processes with one member of the cluster engine each (io.ballast.bench.cluster.EngineNode), and their commands."""

import os
import queue
import signal
import subprocess
import threading
import time

from harness import java
from harness.namespaces import address
from harness.workplace import Failure

_PORT = 7946
_CLASS = "io.ballast.bench.cluster.EngineNode"
_PASSWORD = "ballast"
_ANSWER_SECONDS = 20


def name(number):
    return f"n{number}"


class Members:
    """Starts, stops and queries the members. `on_put(number, id, micros)` gets the result of each command; micros is None if it failed."""

    def __init__(self, place, network, voters, on_put):
        self._place, self._network, self._voters, self._on_put = place, network, voters, on_put
        self._running = {}
        self._starts = 0
        self._files = _certificates(place, network.numbers)

    def start(self, number):
        peers = ",".join(f"{address(peer)}:{_PORT}" for peer in self._network.numbers)
        self._starts += 1
        words = java.command(
            _CLASS,
            name(number),
            f"{address(number)}:{_PORT}",
            peers,
            ",".join(name(voter) for voter in self._voters),
            self._place.subdirectory("logs"),
            self._files[number],
        )
        words[1:1] = ["-XX:TieredStopAtLevel=1", "-Xss512k", *os.environ.get("ENGINE_OPTS", "").split()]
        started = self._place.start(f"{name(number)}-{self._starts}", self._network.command(number, words), talks=True)
        self._running[number] = _Member(number, started, self._on_put)

    def numbers(self):
        return sorted(self._running)

    def pids(self):
        return [member.started.pid for member in self._running.values()]

    def is_ready(self, number):
        member = self._running[number]
        member.started.require_running()
        return member.is_ready

    def kill(self, number):
        self._running.pop(number).started.kill()

    def close(self, number):
        """Stops a member gracefully."""
        self._running.pop(number).started.stop()

    def freeze(self, number):
        os.killpg(self._running[number].started.pid, signal.SIGSTOP)

    def thaw(self, number):
        os.killpg(self._running[number].started.pid, signal.SIGCONT)

    def put(self, number, identity):
        member = self._running.get(number)
        if member is not None:
            member.say(f"put {identity}")

    def state(self, number):
        """Returns (number of commands, digest, leader, members)."""
        count, digest, leader, members = self._running[number].ask("state")
        return int(count), digest, leader, members.split(",")

    def log_tail(self, number):
        return self._running[number].started.log_tail()

    def digest(self, number, first):
        return self._running[number].ask(f"digest {first}")[1]

    def listing(self, number, start):
        """Returns (id, microseconds) of the commands from a position on."""
        return [(word.split("@")[0], int(word.split("@")[1])) for word in self._running[number].ask(f"list {start}")]


class _Member:
    def __init__(self, number, started, on_put):
        self.number, self.started, self._on_put = number, started, on_put
        self.is_ready = False
        self._answers = queue.Queue()
        self._log = open(started.log, "a")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.started.stdout:
            words = line.decode(errors="replace").split()
            if words[:1] == ["ready"]:
                self.is_ready = True
            elif words[:1] == ["acked"]:
                self._on_put(self.number, words[1], int(words[2]))
            elif words[:1] == ["failed"]:
                self._on_put(self.number, words[1], None)
            elif words[:1] in (["state"], ["digest"], ["list"]):
                self._answers.put(words[1:])
            else:
                self._log.write(line.decode(errors="replace"))
                self._log.flush()

    def say(self, line):
        try:
            self.started.stdin.write(f"{line}\n".encode())
            self.started.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # killed meanwhile

    def ask(self, line):
        while not self._answers.empty():
            self._answers.get_nowait()
        self.say(line)
        try:
            return self._answers.get(timeout=_ANSWER_SECONDS)
        except queue.Empty:
            raise Failure(f"{name(self.number)} does not answer to {line}:\n{self.started.log_tail()}") from None


def _certificates(place, numbers):
    """Creates a CA and a certificate for each member; returns PKCS #12 files."""
    directory = place.subdirectory("certificates")

    def run(*words):
        subprocess.run([str(word) for word in words], cwd=directory, check=True, capture_output=True)

    run("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "ca.key")
    run("openssl", "req", "-x509", "-key", "ca.key", "-subj", "/CN=trial authority", "-days", "2", "-out", "ca.crt")
    run("keytool", "-importcert", "-noprompt", "-alias", "authority", "-file", "ca.crt", "-keystore", "trust.p12", "-storepass", _PASSWORD)
    files = {}
    for number in numbers:
        own = name(number)
        run("openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", f"{own}.key")
        run("openssl", "req", "-new", "-key", f"{own}.key", "-subj", f"/CN={own}", "-out", f"{own}.csr")
        run(
            "openssl", "x509", "-req", "-in", f"{own}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-days", "2",
            "-set_serial", number, "-out", f"{own}.crt",
        )  # fmt: skip
        run(
            "openssl", "pkcs12", "-export", "-inkey", f"{own}.key", "-in", f"{own}.crt", "-certfile", "ca.crt", "-name", own,
            "-passout", f"pass:{_PASSWORD}", "-out", f"{own}-key.p12",
        )  # fmt: skip
        store = directory / f"{own}.p12"
        store.write_bytes((directory / "trust.p12").read_bytes())
        run(
            "keytool", "-importkeystore", "-noprompt", "-srckeystore", f"{own}-key.p12", "-srcstorepass", _PASSWORD,
            "-destkeystore", store, "-deststorepass", _PASSWORD,
        )  # fmt: skip
        files[number] = store
    return files


def await_ready(members, numbers, seconds):
    end = time.monotonic() + seconds
    for number in numbers:
        while not members.is_ready(number):
            if time.monotonic() > end:
                raise Failure(f"{name(number)} is not ready after {seconds} s")
            time.sleep(0.05)
