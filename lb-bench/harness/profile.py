"""profile: where Ballast spends its CPU time under load, measured by perf."""

import argparse
import shutil
import subprocess
import time
from pathlib import Path

from harness import backends, ballast, compare_dns, conditions, dns_cache_peers, dns_peers, dnsperf, open_ports, flame, java, measure
from harness import peers, procfs, report, stacks, wrk
from harness.dns_cache_scenarios import SCENARIOS as CACHE_SCENARIOS
from harness.dns_scenarios import SCENARIOS as DNS_SCENARIOS
from harness.scenarios import SCENARIOS as HTTP_SCENARIOS
from harness.workplace import Failure, Workplace, run_program, say

_SAMPLES_A_SECOND = 997
# perf unwinds compiled code by frame pointers; inlined methods are not distinguished.
_JAVA_OPTIONS = ("-XX:+PreserveFramePointer",)
_MIN_SHARE = 0.002


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("profile", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(prog="profile", description="Shows where Ballast spends its CPU time under load, by perf.")
    parser.add_argument("work", choices=("http", "dns", "dns-cache"))
    parser.add_argument("--scenario", help="of compare (get, a4, hits)")
    parser.add_argument("--at-once", type=int, help="connections, or outstanding queries (128, 100)")
    parser.add_argument("--seconds", type=int, default=10, help="(%(default)s)")
    parser.add_argument("--warmup", type=int, default=20, help="seconds of warm-up load (%(default)s)")
    parser.add_argument("--folded", type=Path, help="write folded stacks for flame graph programs to this file")
    parser.add_argument("--svg", type=Path, help="write a flame graph to this file")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    for tool in ("perf", "wrk" if options.work == "http" else "dnsperf"):
        if not shutil.which(tool):
            raise Failure(f"{tool} is missing (apt-get install {'linux-perf' if tool == 'perf' else tool})")
    with Workplace() as place:
        facts = conditions.gather()
        if options.work == "http":
            return _http(place, options, facts)
        if options.work == "dns-cache":
            return _dns_cache(place, options, facts)
        return _dns(place, options, facts)


def _http(place, options, facts):
    scenario = HTTP_SCENARIOS[options.scenario or "get"]
    served_by = backends.start(
        place, scenario.backends, scenario.slow_backends, scenario.slow_ms, scenario.one_backend_process
    )
    text, port, dashboard_port = ballast.config(scenario.template("ballast.yaml"), {}, served_by)
    running = ballast.Ballast(place, text, port, dashboard_port, _JAVA_OPTIONS)
    server = peers.Running("ballast", peers.ballast_version(running), running.started, port, running.served)
    connections = options.at_once or 128

    def load(seconds):
        seen = wrk.run(measure.url(server, scenario), connections, seconds, headers=scenario.headers)
        return seen.requests, measure.client_faults(seen)

    about = f"http, {scenario.name}: {scenario.about}; {connections} connections, wrk"
    return _profiled(place, options, facts, server, about, load)


def _dns(place, options, facts):
    scenario = DNS_SCENARIOS[options.scenario or "a4"]
    queries = place.write("queries", scenario.queries())
    outstanding = options.at_once or 100
    about = f"dns, {scenario.name}: {scenario.about}; at most {outstanding} outstanding queries, dnsperf"
    with open_ports.OpenPorts(scenario.addresses) as opened:
        server = dns_peers.start_ballast(place, "ballast", scenario, opened, java_options=_JAVA_OPTIONS)

        def load(seconds):
            seen = dnsperf.run(server.port, queries, outstanding, seconds, options=scenario.options)
            return seen.completed, compare_dns.faults(seen)

        return _profiled(place, options, facts, server, about, load)


def _dns_cache(place, options, facts):
    scenario = CACHE_SCENARIOS[options.scenario or "hits"]
    outstanding = options.at_once or 100
    about = f"dns-cache, {scenario.name}: {scenario.about}; at most {outstanding} outstanding queries, dnsperf"
    server = dns_cache_peers.start_ballast(place, dns_cache_peers.start_upstream(place), java_options=_JAVA_OPTIONS)

    def load(seconds):
        # Unique names must differ from those of earlier loads.
        text = scenario.queries(f"l{time.monotonic_ns()}", scenario.needed(seconds))
        seen = dnsperf.run(server.port, place.write("queries", text), outstanding, seconds)
        return seen.completed, compare_dns.faults(seen)

    return _profiled(place, options, facts, server, about, load)


def _profiled(place, options, facts, server, about, load):
    pid = server.started.pid
    say(f"warming up, {options.warmup} s")
    load(options.warmup)
    say(f"recording, {options.seconds} s")
    data = place.directory / "perf.data"
    command = ["perf", "record", "-q", "-F", str(_SAMPLES_A_SECOND), "-g", "-p", str(pid), "-o", str(data)]
    cpu = procfs.cpu_seconds(pid)
    recorder = subprocess.Popen([*command, "--", "sleep", str(options.seconds)], stderr=subprocess.PIPE, text=True)
    requests, faults = load(options.seconds)
    cpu = procfs.cpu_seconds(pid) - cpu
    _, words = recorder.communicate()
    if recorder.returncode != 0:
        raise Failure(f"perf record exited with {recorder.returncode}: {words.strip()}")
    if not java.command_to(pid, "Compiler.perfmap"):
        raise Failure("this Java has no jcmd, which is needed for the names of compiled methods")
    seen = _stacks(data)
    if options.folded:
        options.folded.write_text(stacks.folded(seen))
    if options.svg:
        options.svg.write_text(flame.svg(seen))
    facts += [(server.name, server.version), ("perf", conditions.tool_version(["perf", "--version"]))]
    return _report(facts, about, seen, requests, cpu, faults), not faults


def _stacks(data):
    done = subprocess.run(
        ["perf", "script", "-i", str(data), "-F", "comm,ip,sym,dso", "--max-stack", "127"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Failure(f"perf script exited with {done.returncode}: {done.stderr.strip()}")
    return stacks.parse(done.stdout)


def _report(facts, about, seen, requests, cpu, faults):
    each = cpu / max(1, requests) * 1e6
    shown = [(name, share) for name, share in stacks.layers(seen) if share >= _MIN_SHARE]
    rows = [[name, f"{share:.1%}", f"{share * each:.2f}"] for name, share in shown]
    parts = [
        "# profile",
        about + ".",
        report.conditions(facts),
        f"{requests:,} requests, {each:.2f} µs CPU each during perf, {seen.total():,} samples. Work in the kernel"
        " is classified by the system call on the stack; on loopback the receiver's work is done inside send. The rest belongs"
        " to the innermost frame of Ballast or Netty on the stack; inlined methods count for their caller.",
        report.table(["where", "share", "CPU µs per request"], rows),
        *(f"**{fault}**" for fault in faults),
    ]
    return "\n\n".join(parts)
