"""variants: compares different settings of Ballast, to choose defaults."""

import argparse
import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness import backends, ballast, conditions, measure, peers, report, rounds, wrk
from harness.scenarios import SCENARIOS
from harness.workplace import Failure, Workplace, run_program, say

DEFAULT = "default"
_TRACED_SECONDS = 2
# The part of the configuration that is changed.
_POOL = "pools:\n  web:\n"
_LISTENER = "    pool: web\n"


@dataclass(frozen=True)
class Variant:
    """Lines added to the configuration, its listener and its pool, and JVM options after those of bin/jvm*.options."""

    about: str
    lines: str = ""
    listener_lines: str = ""
    pool_lines: str = ""
    java_options: tuple = ()
    launcher: str = None


VARIANTS = {
    DEFAULT: Variant("default: io_uring if available, serial collector"),
    "epoll": Variant("transport: epoll", "transport: epoll\n"),
    "nio": Variant("transport: nio", "transport: nio\n"),
    "parallel": Variant("the parallel collector", java_options=("-XX:-UseSerialGC", "-XX:+UseParallelGC")),
    "g1": Variant("the G1 collector", java_options=("-XX:-UseSerialGC", "-XX:+UseG1GC")),
    "one-loop": Variant("one event loop", "event_loops: 1\n"),
    "forwarding-off": Variant("forwarding: off", listener_lines="    forwarding: off\n"),
    "forwarding-six": Variant(
        "all six forwarding headers",
        listener_lines="    forwarding_headers: [x-forwarded-for, x-forwarded-proto, x-forwarded-host, x-forwarded-port,"
        " forwarded, via]\n",
    ),
    "pipelining": Variant("pipelining: 8 to the backends", pool_lines="    connections: {pipelining: 8}\n"),
}


def _variant(name):
    """Returns one of VARIANTS; a name with a slash is the directory of another built checkout."""
    if "/" not in name:
        return VARIANTS[name]
    launcher = Path(name).resolve() / "bin" / "lb"
    if not launcher.exists():
        raise Failure(f"{launcher} (expected: the launcher of another checkout)")
    return Variant(f"the checkout in {Path(name).resolve().name}", launcher=str(launcher))


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("variants", lambda: _run(options), options.out)


def _parser():
    known = ", ".join(f"{name} ({variant.about})" for name, variant in VARIANTS.items())
    parser = argparse.ArgumentParser(prog="variants", description=f"Compares Ballast with itself. Variants: {known}.")
    parser.add_argument("names", nargs="*", default=["epoll"], metavar="VARIANT", help="besides the default (epoll); a directory is another checkout")
    parser.add_argument("--scenario", choices=SCENARIOS, default="get", help="(%(default)s)")
    parser.add_argument("--connections", type=int, nargs="+", default=[16, 128, 512], help="(16 128 512)")
    parser.add_argument("--rounds", type=int, default=5, help="(%(default)s)")
    parser.add_argument("--seconds", type=int, default=5, help="seconds of each run (%(default)s)")
    parser.add_argument("--warmup", type=int, default=10, help="seconds of warm-up for each variant and load (%(default)s)")
    parser.add_argument("--calls", action="store_true", help="also count system calls per request, with strace")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    unknown = [name for name in options.names if "/" not in name and name not in VARIANTS]
    if unknown:
        raise Failure(f"{', '.join(unknown)} (expected: some of {', '.join(VARIANTS)}, or a directory)")
    scenario = SCENARIOS[options.scenario]
    names = list(dict.fromkeys([DEFAULT, *options.names]))
    with Workplace() as place:
        facts = conditions.gather()
        served_by = backends.start(
            place, scenario.backends, scenario.slow_backends, scenario.slow_ms, scenario.one_backend_process
        )
        running = [_start(place, scenario, served_by, name) for name in names]
        facts += [(peer.name, peer.version) for peer in running]
        for peer in running:
            for connections in options.connections:
                say(f"warming up {peer.name}, {connections} connections, {options.warmup} s")
                wrk.run(measure.url(peer, scenario), connections, options.warmup, headers=scenario.headers)

        def one(peer, connections, number):
            return measure.closed_loop(peer, scenario, served_by, connections, options.seconds, number)

        samples = rounds.run(running, options.connections, options.rounds, one, scenario.unit)
        traced = _traced(running, scenario, options) if options.calls else ""
    return _report(scenario, facts, names, options, samples, traced), not samples.faulty()


def _start(place, scenario, served_by, name):
    variant, name = _variant(name), Path(name).name
    text, port, dashboard_port = ballast.config(scenario.template("ballast.yaml"), {}, served_by)
    say(f"starting {name}")
    text = text.replace(_LISTENER, _LISTENER + variant.listener_lines, 1)
    text = variant.lines + text.replace(_POOL, _POOL + variant.pool_lines, 1)
    running = ballast.Ballast(place, text, port, dashboard_port, variant.java_options, name=name, launcher=variant.launcher)
    return peers.Running(name, peers.ballast_version(running), running.started, port, running.served)


def _traced(running, scenario, options):
    """Returns a table of system calls per request. Tracing slows everything, so it runs last and only counts calls."""
    rows = []
    for peer in running:
        for connections in options.connections:
            tracer = subprocess.Popen(
                ["strace", "-f", "-c", "-qq", "-p", str(peer.started.pid)], stderr=subprocess.PIPE, text=True
            )
            load = wrk.run(measure.url(peer, scenario), connections, _TRACED_SECONDS, headers=scenario.headers)
            tracer.terminate()
            calls = parse_calls(tracer.communicate()[1])
            most = sorted(calls.items(), key=lambda call: -call[1])[:5]
            cells = ", ".join(f"{name} {count / load.requests:.2f}" for name, count in most)
            rows.append([f"{connections} connections", peer.name, f"{sum(calls.values()) / load.requests:.2f}", cells])
    return report.table(["load", "variant", "calls per request", "most frequent calls"], rows)


def parse_calls(text):
    """Returns calls by name from the output of `strace -c`."""
    calls = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 5 and words[3].isdigit() and words[-1] != "total":
            calls[words[-1]] = int(words[3])
    return calls


def _report(scenario, facts, names, options, samples, traced):
    parts = [
        f"# variants: {scenario.name}",
        f"{scenario.about}. Rounds: {options.rounds}, of {options.seconds} s; client, balancer and backends share the"
        " cores. Medians, with lowest and highest in brackets; ratios are computed round by round.",
        report.conditions(facts),
        report.conditions([(Path(name).name, _variant(name).about) for name in names]),
        report.medians(samples, scenario.unit),
        report.ratios(samples, (), scenario.unit, ("rate", "cpu", "p99"), ours=DEFAULT),
        "System calls, counted by strace, which slows everything:\n\n" + traced if traced else "",
        report.excluded(samples),
    ]
    return "\n\n".join(part for part in parts if part)
