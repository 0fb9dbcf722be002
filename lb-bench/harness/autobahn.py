"""The program behind lb-bench/autobahn: WebSocket through a balancer, with Autobahn's fuzzing client and echo server.
"""

import json
from collections import Counter

from harness import cache, loopback, ports, subjects
from harness.workplace import Failure, await_true, say

_VERSION = "0.8.2"
# Compression is end to end between client and server, and these cases take long; the others cover everything a balancer
# does.
_COMPRESSION = ("12.*", "13.*")
_START = "import site, sys; site.addsitedir(sys.argv.pop(1)); from autobahntestsuite.wstest import run; run()"
# Started by its command, the echo server expects its own port in the Host header, which clients of a balancer do not
# know.
_ECHO = """
import site, sys
site.addsitedir(sys.argv[1])
from autobahn.twisted.websocket import listenWS
from autobahntestsuite.echo import EchoServerFactory
from twisted.internet import reactor
factory = EchoServerFactory(sys.argv[2])
factory.externalPort = None
listenWS(factory, interface="127.0.0.1")
reactor.run()
"""
# Whether data sent before a client's fault is still echoed depends on timing; both behaviours conform to the standard.
_CONFORMING = {"NON-STRICT": "OK"}
# Number of differences that are printed.
_MAX_SHOWN = 5
_TIMEOUT_SECONDS = 3600
_DIRECT = "direct"
# The compared fields of a case: the behaviour, and how the connection was closed.
_REQUIRED = ("behavior", "behaviorClose")


def main(arguments=None):
    parser = subjects.parser("autobahn", "Runs Autobahn's fuzzing client against its echo server, directly and through a balancer.")
    parser.add_argument("--cases", type=lambda text: text.split(","), default=["*"], help="such as 1.*,7.* (all)")
    parser.add_argument("--compression", action="store_true", help="also the cases with compression, which take long")
    options = parser.parse_args(arguments)
    return subjects.run(options, "autobahn", _test)


def _test(place, options):
    try:
        python, packages = cache.python2_packages("autobahn", f"autobahntestsuite=={_VERSION}")
    except Failure as failure:
        message = f"autobahn: SKIPPED, {failure}"
        say(message)
        return message, True
    wstest = [python, "-c", _START, packages]
    echo = _Echo(place, [python, "-c", _ECHO, packages])
    running = subjects.start(options.against, place, "conformance", [echo], lambda running: _is_up(running.port))
    found = _fuzz(place, wstest, echo, running, options)
    running.started.require_running()
    checks = subjects.Checks()
    for agent in ("ws", "wss"):
        _record(checks, agent, found[_DIRECT], found[agent])
    text = subjects.write(
        f"WebSocket: {running.name}",
        "Autobahn's fuzzing client and its echo server. Each case must have the same verdict through the balancer as without one,"
        " for the behaviour and for how the connection was closed.",
        [(running.name, running.version), ("autobahntestsuite", _VERSION)],
        ["connection", "cases", "same verdict as without a balancer", "verdicts"],
        checks,
    )
    return text, not checks.failures


class _Echo:
    """Autobahn's echo server, on an address of its own."""

    name = "backend-1"

    def __init__(self, place, command):
        port = ports.free()
        self.address = f"{ports.LOOPBACK}:{port}"
        self.started = place.start(self.name, [*command, f"ws://{self.address}"])
        await_true(lambda: _is_up(port), "the echo server", 20, self.started)


def _is_up(port):
    """Returns whether a plain request gets a response: an echo server rejects it."""
    return loopback.status(f"http://{subjects.address(port)}/") in (200, 400, 426)


def _fuzz(place, wstest, echo, running, options):
    """Returns {agent: {case: verdicts}}."""
    results = place.subdirectory("autobahn")
    urls = {
        _DIRECT: f"ws://{echo.address}",
        "ws": f"ws://{subjects.address(running.port)}",
        "wss": f"wss://{subjects.address(running.tls_port)}",
    }
    specification = {
        "outdir": str(results),
        "options": {"failByDrop": False},
        "servers": [{"agent": agent, "url": url} for agent, url in urls.items()],
        "cases": options.cases,
        "exclude-cases": [] if options.compression else list(_COMPRESSION),
        "exclude-agent-cases": {},
    }
    file = place.write("fuzzing.json", json.dumps(specification))
    say("fuzzing")
    client = place.start("fuzzing-client", [*wstest, "-m", "fuzzingclient", "-s", file])
    await_true(lambda: not client.is_running(), "the fuzzing client to end", _TIMEOUT_SECONDS)
    index = results / "index.json"
    if not index.exists():
        raise Failure(f"the fuzzing client left no report:\n{client.log_tail()}")
    return json.loads(index.read_text())


def differences(direct, through):
    """Returns {case: the different verdicts}."""
    found = {}
    for case, expected in direct.items():
        seen = through.get(case)
        if seen is None:
            found[case] = "did not run"
            continue
        words = [
            f"{name} {seen[name]}, directly {expected[name]}"
            for name in _REQUIRED
            if _CONFORMING.get(seen[name], seen[name]) != _CONFORMING.get(expected[name], expected[name])
        ]
        if words:
            found[case] = "; ".join(words)
    return found


def _record(checks, agent, direct, through):
    found = differences(direct, through)
    verdicts = Counter(verdict["behavior"] for verdict in through.values())
    summary = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    row = (agent, len(direct), len(direct) - len(found), summary)
    if found or not direct:
        shown = [f"{case}: {what}" for case, what in list(found.items())[:_MAX_SHOWN]]
        more = [f"and {len(found) - _MAX_SHOWN} more"] if len(found) > _MAX_SHOWN else []
        checks.failed("; ".join(shown + more) or "no case ran", *row)
    else:
        checks.passed(*row)
