"""The program behind lb-bench/chaos: checks Ballast's invariants while backends fail and operators and reloads change
it."""

import argparse
import json
import os
import random
import signal
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import Counter
from pathlib import Path

from harness import ballast, chaos_backend, chaos_judge, chaos_load, chaos_plan, conditions, ports, report
from harness.chaos_judge import Span
from harness.moving_name import MovingName
from harness.peers import ballast_version
from harness.reload import reload
from harness.workplace import Failure, Workplace, await_true, run_program, say

_BACKENDS = 6
_CLIENTS = 8
_NAME = "www.example.org"
_MOVING = "moving.chaos.test"
# The addresses of the backend whose name changes; its process listens on both.
_ADDRESSES = ("127.0.0.61", "127.0.0.62")
# HTTP and DNS may differ for this long: DNS answers are compiled a little later, and health checks may change them
# meanwhile.
_AGREE_SECONDS = 3.0
_REST_SECONDS = 10.0
# Totals of pools are up to one second old.
_SAMPLE_SECONDS = 2.5
_TIMEOUT_SECONDS = 20
_QUERY_EVERY = 0.05
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("chaos", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="chaos",
        description="Kills, hangs, resets and slows backends, reloads, changes a name and sets overrides, all derived from a seed,"
        " under requests and queries; fails if one of the invariants does not hold.",
    )
    parser.add_argument("--minutes", type=float, default=10, help="%(default)s")
    parser.add_argument("--rate", type=int, default=300, help="requests per second (%(default)s)")
    parser.add_argument("--seed", type=int, help="seed of an earlier run, to repeat it; random by default, and printed")
    parser.add_argument("--out", type=Path, help="a file to write the report to")
    return parser


class BackendProcess:
    """One backend process, with the files that control its behaviour and record its requests."""

    def __init__(self, place, number, port, host, address=None):
        self.name = f"b{number}"
        self.address = address or f"{host}:{port}"
        self.log = place.write(f"{self.name}.ids", "")
        self._mode = place.write(f"{self.name}.mode", chaos_backend.WELL)
        self._place = place
        self._command = [sys.executable, chaos_backend.__file__, self.name, host, port, self.log, self._mode]
        self.start()

    def start(self):
        self.started = self._place.start(self.name, self._command)

    def begin(self, what):
        if what == "kill":
            self.started.kill()
        elif what == "hang":
            os.killpg(self.started.pid, signal.SIGSTOP)
        else:
            self._behave(what)

    def undo(self, what):
        if what == "kill":
            self.start()
        elif what == "hang":
            os.killpg(self.started.pid, signal.SIGCONT)
        else:
            self._behave(chaos_backend.WELL)

    def _behave(self, how):
        # Atomic, because the server reads the file for each request.
        after = self._mode.with_suffix(".next")
        after.write_text(how)
        after.rename(self._mode)

    def received(self):
        """Returns the ids of the requests that the backend has received."""
        return [line.split()[1] for line in self.log.read_text().splitlines()]


class Chaos(threading.Thread):
    """Executes the steps of a plan, and records when each was in effect."""

    def __init__(self, steps, servers, running, file, text, name):
        super().__init__(daemon=True)
        self.faults = []
        self.orders = []
        self.done = Counter()
        self.problems = []
        self.disagreements = []
        self.agreed = 0
        self._steps = steps
        self._servers = servers
        self._running = running
        self._file = file
        self._text = text
        self._name = name
        self._begun = {}

    def run(self):
        try:
            self._run()
        except Exception as e:  # otherwise a dead thread would look like a quiet run
            self.problems.append(f"the run ended early: {type(e).__name__}: {e}")

    def _run(self):
        begin = time.monotonic()
        todo = sorted(
            [(step.at, step, False) for step in self._steps]
            + [(step.end, step, True) for step in self._steps if step.backend >= 0],
            key=lambda each: each[0],
        )
        for at, step, is_end in todo:
            time.sleep(max(0.0, begin + at - time.monotonic()))
            if is_end:
                self._undo(step)
            else:
                self.done[step.what] += 1
                self._do(step)

    def _do(self, step):
        now = time.monotonic()
        if step.what == "reload":
            self._file.write_text(self._text(self.done["reload"]))
            answer = reload(self._running)
            if answer["outcome"] != "applied":
                self.problems.append(f"reload: {answer}")
        elif step.what == "move":
            self._name.address = _ADDRESSES[self.done["move"] % 2]
        elif step.what in chaos_plan.FAULTS:
            self._begun[step] = now
            self._servers[step.backend].begin(step.what)
        else:
            what = {"weigh": f"weight?weight={step.weight}&"}.get(step.what, f"{step.what}?")
            if self._order(step, what):
                self._begun[step] = time.monotonic()

    def _undo(self, step):
        if step not in self._begun:
            return
        server = self._servers[step.backend]
        if step.what in chaos_plan.FAULTS:
            server.undo(step.what)
            self.faults.append(Span(step.what, server.address, self._begun[step], time.monotonic()))
        else:
            if step.what != "weigh" or step.weight == 0:
                self.orders.append(Span(step.what, server.address, self._begun[step], time.monotonic()))
            self._order(step, "enable?")

    def _order(self, step, what):
        """Sends an override; returns whether Ballast accepts it. The last usable backend stays in use."""
        address = urllib.parse.quote(self._servers[step.backend].address, safe="")
        url = f"{self._running.dashboard}/api/v1/pools/web/backends/{address}/{what}who=chaos"
        request = urllib.request.Request(url, method="POST")
        try:
            with _opener.open(request, timeout=_TIMEOUT_SECONDS) as answer:
                json.load(answer)
                return True
        except urllib.error.HTTPError as e:
            if e.code != 409:
                self.problems.append(f"{what}: {e.code} {e.read().decode()}")
            return False


class Agreement(threading.Thread):
    """Continuously compares the usable backends of the API with the DNS answers."""

    def __init__(self, running, dns_port, addresses, stopped):
        super().__init__(daemon=True)
        self.agreed = 0
        self.problems = []
        self._running = running
        self._dns_port = dns_port
        self._addresses = addresses
        self._stopped = stopped

    def run(self):
        since = time.monotonic()
        while not self._stopped.wait(0.2):
            try:
                http = {self._addresses(each) for each in chaos_judge.usable(self._running.stats())}
                dns = chaos_load.addresses(self._dns_port, _NAME)
            except (OSError, ValueError, TypeError) as e:
                self.problems.append(f"{type(e).__name__}: {e}")
                continue
            now = time.monotonic()
            if any(dns == (http - {None}) | moving for moving in _choices(http)):
                self.agreed += 1
                since = now
            elif now - since > _AGREE_SECONDS:
                self.problems.append(f"for {now - since:.1f} s HTTP has {sorted(map(str, http))}, DNS {sorted(dns)}")
                since = now


def _choices(http):
    """Returns the allowed answers for the backend whose name changes: one of its addresses if it takes traffic."""
    return [{address} for address in _ADDRESSES] if None in http else [set()]


def _run(options):
    seed = random.SystemRandom().randrange(1 << 32) if options.seed is None else options.seed
    seconds = options.minutes * 60
    steps = chaos_plan.plan(seed, seconds, _BACKENDS)
    say(f"seed {seed}: {len(steps)} steps in {options.minutes:g} minutes")
    with Workplace() as place:
        facts = conditions.gather()
        name = MovingName(_ADDRESSES[0])
        name.start()
        servers = _servers(place)
        listen, dashboard, dns_port = ports.free(), ports.free(), ports.free(ports.DNS)

        def text(number):
            return config(servers, listen, dashboard, dns_port, place.subdirectory("data"), number)

        running = ballast.Ballast(
            place, text(0), listen, dashboard, java_options=(f"-Ddns.server={ports.LOOPBACK}:{name.port}",)
        )
        facts.append(("ballast", ballast_version(running)))
        stopped = threading.Event()
        clients = [chaos_load.RequestClient(each, listen, options.rate / _CLIENTS, seed, stopped) for each in range(_CLIENTS)]
        query_client = chaos_load.QueryClient(dns_port, _NAME, _QUERY_EVERY, stopped)
        agreement = Agreement(running, dns_port, _host, stopped)
        file = Path(place.directory / "ballast.yaml")
        chaos = Chaos(steps, servers, running, file, text, name)
        await_true(lambda: len(chaos_judge.usable(running.stats())) == _BACKENDS, "all backends to be up", 20)
        begin = time.monotonic()
        for thread in (*clients, query_client, agreement, chaos):
            thread.start()
        chaos.join(seconds + 60)
        time.sleep(max(0.0, begin + seconds - time.monotonic()))
        stopped.set()
        for thread in (*clients, query_client, agreement):
            thread.join(chaos_load.SECONDS + 5)
        running.started.require_running()
        _await_rest(running)
        time.sleep(_SAMPLE_SECONDS)
        stats = running.stats()
        received = {server.address: server.received() for server in servers}
        errors = _complaints(running)
        running.started.stop()
    sent = [request for client in clients for request in client.sent]
    explained, unexplained = chaos_judge.failures(sent, chaos.faults)
    checks = [
        ("no request to a backend that was taken out", chaos_judge.taken_out(sent, received, chaos.orders)),
        ("no counter lost", chaos_judge.counters(sent, received, stats)),
        ("nothing in flight at the end", chaos_judge.at_rest(stats)),
        ("HTTP and DNS agree on who is up", chaos_judge.shown(agreement.problems)),
        ("no answer out of place", chaos_judge.out_of_place(sent) + chaos_judge.shown(query_client.faults)),
        ("no failed request that no fault explains", chaos_judge.shown([str(each) for each in unexplained])),
        ("every step succeeded", chaos_judge.shown(chaos.problems)),
        ("no error in the log", chaos_judge.shown(errors)),
    ]
    counts = {
        "requests": len(sent),
        "failed, explained by a fault": explained,
        "queries": query_client.query_count,
        "comparisons of HTTP and DNS": agreement.agreed,
    }
    text = _report(facts, options, seed, chaos, counts, checks, stats)
    return text, not any(problems for _, problems in checks)


def _servers(place):
    port = ports.free()
    servers = [BackendProcess(place, number, ports.free(), f"127.0.0.5{number}") for number in range(1, _BACKENDS)]
    # The last backend listens on all addresses; its name resolves to one of them at a time.
    return [*servers, BackendProcess(place, _BACKENDS, port, "0.0.0.0", f"{_MOVING}:{port}")]


def _host(address):
    """Returns the DNS answer for a backend; None for the one whose name changes."""
    host = address.rsplit(":", 1)[0]
    return None if host == _MOVING else host


def _await_rest(running):
    try:
        await_true(lambda: not chaos_judge.at_rest(running.stats()), "nothing to be in flight", _REST_SECONDS)
    except Failure:
        pass  # checked as one of the invariants


def _complaints(running):
    """Returns the log lines that report a defect."""
    log = Path(running.started.log).read_text(errors="replace")
    return [line for line in log.splitlines() if " ERROR " in line or "LEAK:" in line or "Exception" in line]


def config(servers, listen, dashboard, dns_port, data, number):
    """Returns one of several configurations with the same backends but different strategy, weights, checks and TTL."""
    strategy = ("round-robin", "least-connection", "weighted-round-robin", "power-of-two")[number % 4]
    members = "".join(
        f'      - {{address: "{server.address}", weight: {1 + (number + at) % 3}}}\n' for at, server in enumerate(servers)
    )
    return (
        f"data_dir: {data}\n"
        f"listeners:\n  - {{name: front, bind: '{ports.LOOPBACK}:{listen}', pool: web}}\n"
        f"pools:\n  web:\n    strategy: {strategy}\n    backends:\n{members}"
        f"    health: {{type: http, path: /health, interval: {500 + 100 * (number % 3)}ms, fast_interval: 200ms,"
        " timeout: 1s, rise: 1, fall: 2}\n"
        "    outlier: {ejection: 1s, max_ejection: 4s}\n"
        "    connections: {connect_timeout: 1s, response_timeout: 2s}\n"
        "    retry: {attempts: 4, on: [connect-failure, reset, response-timeout], budget: {ratio: 100%}}\n"
        f"dns:\n  listeners: [{{bind: '{ports.LOOPBACK}:{dns_port}'}}]\n  zones:\n    - name: example.org\n"
        f"      services: [{{name: www, pool: web, answers: all, ttl: {20 + number % 5}s}}]\n"
        f"dashboard: {{bind: '{ports.LOOPBACK}:{dashboard}'}}\n"
    )


def _report(facts, options, seed, chaos, counts, checks, stats):
    done = [[what, str(count)] for what, count in sorted(chaos.done.items())]
    backends = [
        [
            each["addr"],
            f"{each['total_req_count']:,}",
            f"{each['responses']['2xx']:,}",
            f"{sum(each['failures'].values()):,}",
            f"{each['retries']:,}",
            str(each["ejections"]),
        ]
        for each in stats["backends"]
    ]
    return "\n\n".join(
        [
            "# chaos",
            f"{options.minutes:g} minutes, {options.rate} requests/s from {_CLIENTS} clients, 30 % of them not"
            f" retryable, and {1 / _QUERY_EVERY:.0f} queries/s, with {_BACKENDS} backends. All steps derive from the seed:"
            f" `lb-bench/chaos --minutes {options.minutes:g} --rate {options.rate} --seed {seed}` repeats the run.",
            report.conditions(facts),
            report.table(["step", "times"], done),
            report.table(["counter", ""], [[what, f"{count:,}"] for what, count in counts.items()]),
            report.table(
                ["invariant", ""], [[what, "**broken**" if problems else "holds"] for what, problems in checks]
            ),
            *(f"**{what}**: broken:\n\n" + "\n".join(f"- {each}" for each in problems) for what, problems in checks if problems),
            report.table(["backend", "sent", "2xx", "failures", "moved elsewhere", "ejections"], backends),
        ]
    )
