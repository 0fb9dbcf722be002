"""Redis: pipelines, large values, a subscription."""

import hashlib
import re
import shutil

from harness import conditions, ports
from harness.service_session import SessionResult, run
from harness.workplace import Failure, await_true

_VALUES = 200
_LARGEST = 1 << 20


def missing():
    tools = ("redis-server", "redis-cli", "redis-benchmark")
    return None if all(map(shutil.which, tools)) else "apt-get install redis-server"


def version():
    return conditions.tool_version(["redis-server", "--version"])


def start(place, port):
    command = ["redis-server", "--port", port, "--bind", ports.LOOPBACK, "--save", "", "--dir", place.directory]
    started = place.start("redis", command)
    await_true(lambda: b"PONG" in _command(port, "PING"), "Redis to answer", 10, started)


def _command(port, *words):
    try:
        return run(["redis-cli", "-h", ports.LOOPBACK, "-p", port, *words])
    except Failure:
        return b""


def run_client(place, port, seconds):
    faults = []
    digest = hashlib.sha256()
    for number in range(_VALUES):
        key, value = f"key{number}", (f"{number}-" * _LARGEST)[: (number * _LARGEST) // _VALUES].encode()
        run(["redis-cli", "-h", ports.LOOPBACK, "-p", port, "-x", "SET", key], text=value)
        read = run(["redis-cli", "-h", ports.LOOPBACK, "-p", port, "GET", key])[:-1]
        if read != value:
            faults.append(f"{key}: {len(read)} bytes received (expected: {len(value)} identical ones)")
        digest.update(read)
    output = run(
        ["redis-benchmark", "-h", ports.LOOPBACK, "-p", port, "-c", 50, "-P", 16, "-n", 100_000 * seconds, "-t", "set,get", "--csv"]
    ).decode()
    rates = re.findall(r'"(SET|GET)","([\d.]+)"', output)
    if len(rates) != 2:
        faults.append(f"redis-benchmark printed {output[:200]!r}")
    figures = {f"{name} per second, 50 connections, 16 in each pipeline": f"{float(rate):,.0f}" for name, rate in rates}
    return SessionResult({"values of up to 1 MiB written and read": str(_VALUES), **figures}, digest.hexdigest(), faults)
