"""The program behind lb-bench/clients: bodies in both directions with several clients and HTTP versions, compared by
hash."""

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import Callable

from harness import cache, certificate, conditions, digests, java, loopback, subjects
from harness.workplace import BENCH, Failure

SIZES = (0, 1, 64 << 10, 10 << 20)
_PROGRAMS = BENCH / "programs" / "clients"
_HTTPX = "httpx[http2]==0.28.1"
_TIMEOUT_SECONDS = 120


def main(arguments=None):
    parser = subjects.parser(
        "clients", "Sends and fetches bodies of 0, 1, 64 KiB and 10 MiB with every installed client, with and without TLS."
    )
    parser.add_argument("--clients", type=lambda text: text.split(","), help=f"such as curl,go; some of {', '.join(CLIENTS)}")
    options = parser.parse_args(arguments)
    return subjects.run(options, "clients", _test)


@dataclass(frozen=True)
class ProtocolCase:
    """A protocol variant: the client's version option, TLS or not, and the allowed resulting versions."""

    name: str
    version: str
    tls: bool
    may_speak: tuple


_ONE, _TWO = ("HTTP/1.1",), ("HTTP/2", "HTTP/2.0")
_ONE_PLAIN = ProtocolCase("HTTP/1.1", "1.1", False, _ONE)
_ONE_TLS = ProtocolCase("HTTP/1.1", "1.1", True, _ONE)
_TWO_PLAIN = ProtocolCase("HTTP/2, prior knowledge", "2", False, _TWO)
_TWO_TLS = ProtocolCase("HTTP/2", "2", True, _TWO)
# RFC 9113 has removed the upgrade: a server that is offered HTTP/2 may continue with HTTP/1.1.
_TWO_UPGRADE = ProtocolCase("HTTP/1.1, HTTP/2 offered", "2", False, (*_ONE, *_TWO))
_ALL = (_ONE_PLAIN, _ONE_TLS, _TWO_PLAIN, _TWO_TLS)
_CURL = (
    # A server may answer an HTTP/1.0 request as HTTP/1.1.
    ProtocolCase("HTTP/1.0", "http1.0", False, ("HTTP/1", "HTTP/1.0", *_ONE)),
    ProtocolCase("HTTP/1.0", "http1.0", True, ("HTTP/1", "HTTP/1.0", *_ONE)),
    ProtocolCase("HTTP/1.1", "http1.1", False, _ONE),
    ProtocolCase("HTTP/1.1", "http1.1", True, _ONE),
    ProtocolCase("HTTP/1.1, HTTP/2 offered", "http2", False, (*_ONE, *_TWO)),
    ProtocolCase("HTTP/2, prior knowledge", "http2-prior-knowledge", False, _TWO),
    ProtocolCase("HTTP/2", "http2", True, _TWO),
)


@dataclass(frozen=True)
class ClientProgram:
    """`prepare` returns the command line of its program; `request` runs it, and returns a line for each size."""

    program: str
    how_to_get: str
    version: Callable
    cases: tuple
    prepare: Callable
    request: Callable


def by_program(command, case, url, authority):
    """Runs clients with a program of ours, as described in programs/clients/README.md."""
    sizes = ",".join(map(str, SIZES))
    # Node reads additional CA certificates from the environment.
    return _run([*command, url, case.version, authority, sizes], {"NODE_EXTRA_CA_CERTS": str(authority)}).decode().splitlines()


def by_curl(command, case, url, authority):
    lines = []
    for size in SIZES:
        common = [*command, "-sSf", f"--{case.version}", "--cacert", authority, "--noproxy", "*"]
        body = authority.with_name(f"body-{size}")
        body.write_bytes(digests.pattern(size))
        got = _run([*common, f"{url}/{size}"])
        spoken = _run([*common, "-o", os.devnull, "-w", "%{http_version}", f"{url}/{size}"]).decode()
        answer = _run([*common, "--data-binary", f"@{body}", f"{url}/digest"]).decode()
        lines.append(f"HTTP/{spoken} {hashlib.sha256(got).hexdigest()} {answer}")
    return lines


def _run(command, environment=()):
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, capture_output=True, env={**os.environ, **dict(environment)}, check=False, timeout=_TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise Failure(f"did not exit within {_TIMEOUT_SECONDS} s") from None
    if done.returncode != 0:
        raise Failure(f"exited with {done.returncode}: {' '.join(done.stderr.decode(errors='replace').split())[-400:]}")
    return done.stdout


def _version_by(*command):
    return lambda: conditions.tool_version(list(command))


def _httpx():
    return [cache.venv("httpx", _HTTPX) / "python", _PROGRAMS / "httpx_client.py"]


CLIENTS = {
    "curl": ClientProgram("curl", "apt-get install curl", _version_by("curl", "--version"), _CURL, lambda: ["curl"], by_curl),
    "httpx": ClientProgram("python3", "install Python", lambda: _HTTPX, _ALL, _httpx, by_program),
    "go": ClientProgram(
        "go", "install Go from https://go.dev/dl", _version_by("go", "version"), _ALL, lambda: [cache.go_program("client-go")], by_program
    ),
    "node": ClientProgram(
        "node", "install Node.js 18 or later", _version_by("node", "--version"), _ALL, lambda: ["node", _PROGRAMS / "fetch.mjs"], by_program
    ),
    "java": ClientProgram(
        java.executable(),
        "install JDK 17 or newer",
        java.version,
        (_ONE_PLAIN, _ONE_TLS, _TWO_UPGRADE, _TWO_TLS),
        lambda: [java.executable(), _PROGRAMS / "JdkClient.java"],
        by_program,
    ),
}


def _test(place, options):
    checks, facts = subjects.Checks(), []
    running = subjects.start(options.against, place, "conformance", [digests.DigestBackend()], _answers)
    facts.append((running.name, running.version))
    authority = certificate.make(place).authority
    for name in options.clients or CLIENTS:
        if name not in CLIENTS:
            raise Failure(f"--clients: {name} (expected: some of {', '.join(CLIENTS)})")
        client = CLIENTS[name]
        if shutil.which(client.program) is None:
            checks.skip(f"{name}: {client.program} is missing ({client.how_to_get})")
            continue
        try:
            command = client.prepare()
        except Failure as failure:
            checks.skip(f"{name}: {failure}")
            continue
        facts.append((name, client.version()))
        for case in client.cases:
            _record(checks, name, case, _faults(client, command, case, running, authority))
            running.started.require_running()
    text = subjects.write(
        f"Clients: {running.name}",
        f"Bodies of {', '.join(f'{size:,}' for size in SIZES)} bytes fetched and sent, compared by SHA-256.",
        facts,
        ["client", "protocol", "connection"],
        checks,
    )
    return text, not checks.failures and bool(checks.rows)


def _answers(running):
    return loopback.is_ok(f"http://{subjects.address(running.port)}/1")


def _faults(client, command, case, running, authority):
    port = running.tls_port if case.tls else running.port
    url = f"{'https' if case.tls else 'http'}://{subjects.address(port)}"
    try:
        lines = client.request(command, case, url, authority)
    except Failure as failure:
        return [str(failure)]
    return faults(lines, case.may_speak)


def faults(lines, may_speak):
    """Returns the faults in a client's output, which has one line per size."""
    if len(lines) != len(SIZES):
        return [f"{len(lines)} responses (expected: {len(SIZES)})"]
    found = []
    for size, line in zip(SIZES, lines):
        spoken, got, sent = (line.split() + ["nothing"] * 3)[:3]
        if spoken not in may_speak:
            found.append(f"{size:,} bytes: used {spoken}")
        if got != digests.digest(size):
            found.append(f"{size:,} bytes: the client received other bytes than the backend sent")
        if sent != digests.digest(size):
            found.append(f"{size:,} bytes: the backend received other bytes than the client sent")
    return found


def _record(checks, name, case, found):
    checks.record(found, name, case.name, "TLS" if case.tls else "plain")
