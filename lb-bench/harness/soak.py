"""The program behind lb-bench/soak: hours of load while backends are stopped and restarted, and Ballast's resources."""

import argparse
import time
from pathlib import Path

from harness import backends, ballast, conditions, failures, measure, openloop, ports, backend_stopper, report, vitals, wrk
from harness.peers import ballast_version
from harness.workplace import Failure, Workplace, run_program, say

_MINUTES = 30
_PARANOID_MINUTES = 3
# Objects that survive young collections, such as the connections to a backend that is killed later, are freed only when
# the old generation is full. This would look like growth, unless the whole heap is resident from the start.
_HEAP = "24m"
# With leak detection, each buffer's history is on the heap too.
_PARANOID_HEAP = "96m"
_PARANOID = "-Dio.netty.leakDetection.level=paranoid"
_FINDING_CONNECTIONS = 128
_FINDING_SECONDS = 5
_SAMPLES = 120
_ROWS = 20
# A leaked buffer is detected after it is collected and other buffers are allocated.
_LAST_REQUESTS_SECONDS = 2


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("soak", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="soak",
        description="Applies a constant load to Ballast for a long time while backends are killed and restarted; fails if memory,"
        " files or threads grow, or if a killed backend does not explain a failed request.",
    )
    parser.add_argument("--minutes", type=float, help=f"{_MINUTES}; {_PARANOID_MINUTES} with --paranoid")
    parser.add_argument("--share", type=float, default=0.5, help="share of Ballast's maximum rate on this machine (%(default)s)")
    parser.add_argument("--rate", type=int, help="requests per second, instead of --share")
    parser.add_argument("--every", type=float, default=10, help="seconds between two stops of a backend (%(default)s)")
    parser.add_argument("--down", type=float, default=3, help="seconds until it is restarted (%(default)s)")
    parser.add_argument("--warmup", type=int, default=15, help="seconds of warm-up load (%(default)s)")
    parser.add_argument("--paranoid", action="store_true", help="enable Netty's paranoid leak detection; a leak fails the run")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    if not options.down < options.every:
        raise Failure(f"--down: {options.down} (expected: < {options.every}, which is --every)")
    seconds = round(60 * (options.minutes or (_PARANOID_MINUTES if options.paranoid else _MINUTES)))
    with Workplace() as place:
        facts = conditions.gather()
        # First, because its build also builds Ballast, which must not be running.
        generator = openloop.Generator(place)
        servers = backends.start(place)
        config, port, dashboard_port = ballast.config("ballast.yaml", {}, servers)
        heap = _PARANOID_HEAP if options.paranoid else _HEAP
        java_options = (f"-Xms{heap}", f"-Xmx{heap}", "-XX:+AlwaysPreTouch", *((_PARANOID,) if options.paranoid else ()))
        running = ballast.Ballast(place, config, port, dashboard_port, java_options)
        if options.paranoid and _PARANOID not in Path(f"/proc/{running.started.pid}/cmdline").read_text():
            raise Failure("--paranoid: leak detection is not active (expected: LB_COMMAND honours LB_JAVA_OPTS, as bin/lb does)")
        facts.append(("ballast", ballast_version(running)))
        most = _most(f"http://{ports.LOOPBACK}:{port}/", options.warmup)
        rate = options.rate or most * options.share
        heap_before = running.heap_after_collection()
        load, stats, samples, ended = _soak(running, generator, servers, rate, seconds, options)
        heap_after = running.heap_after_collection()
        wrk.run(f"http://{ports.LOOPBACK}:{port}/", _FINDING_CONNECTIONS, _LAST_REQUESTS_SECONDS)
        lost = leaks(Path(running.started.log).read_text(errors="replace"))
    facts += [("Heap", f"{heap}, all of it resident from the start")]
    facts += [("Maximum with 128 connections", f"{most:,.0f} requests/s"), ("Rate", f"{rate:,.0f} requests/s")]
    problems = _problems(load, rate, stats, samples, ended, lost)
    return _report(options, seconds, facts, load, stats, samples, ended, (heap_before, heap_after), problems), not problems


def _most(url, warmup):
    say(f"warming up, {warmup} s")
    wrk.run(url, _FINDING_CONNECTIONS, warmup)
    return wrk.run(url, _FINDING_CONNECTIONS, _FINDING_SECONDS).rate


def _soak(running, generator, servers, rate, seconds, options):
    """Returns (load, backend statistics, samples, number of stopped backends)."""
    say(f"{rate:,.0f} requests/s for {seconds} s")
    measure.settled(servers)
    before = running.stats()["backends"]
    killer = backend_stopper.BackendStopper(servers, options.every, options.down, (backend_stopper.KILL, backend_stopper.QUIT))
    watcher = vitals.VitalsSampler(running, every=min(10, seconds / _SAMPLES))
    killer.start()
    watcher.start()
    try:
        load = generator.run(running.port, "/", rate, seconds)
    finally:
        killer.stop()
        watcher.stop()
    running.started.require_running()
    time.sleep(1)
    return load, failures.since(before, running.stats()["backends"]), watcher.samples, killer.ended


def leaks(log):
    """Returns Netty's leak reports."""
    return [line for line in log.splitlines() if "LEAK:" in line]


def _problems(load, rate, stats, samples, ended, lost):
    problems = failures.evaluate(load.errors, sum(failures.cut_off(backend) for backend in stats)).reasons
    if load.rate < rate * openloop.MIN_REACHED:
        problems.append(f"reached {load.rate:,.0f} of {rate:,.0f} requests/s")
    if not ended:
        problems.append("no backend was stopped: the run was too short")
    if len(samples) < 10:
        problems.append(f"{len(samples)} samples (expected: >= 10)")
    else:
        problems += [f"{name} grew by {rise:.1f}" for name, *_, rise, _, is_flat in vitals.evaluate(samples) if not is_flat]
    return problems + lost


def _report(options, seconds, facts, load, stats, samples, ended, heap, problems):
    errors = ", ".join(f"{kind} {count}" for kind, count in load.errors.items())
    kinds = list(stats[0]["failures"])
    return "\n\n".join(
        [
            "# soak" + (" --paranoid" if options.paranoid else ""),
            f"{seconds / 60:g} minutes at a fixed rate on {openloop.CONNECTIONS} connections; a backend was"
            f" stopped {ended} times, killed (-9) and gracefully in turn, and restarted after {options.down:g} s.",
            report.conditions(facts),
            f"The client got {load.requests:,} successful responses; p50 {load.p50:.2f} ms, p99 {load.p99:.1f} ms, p99.9"
            f" {load.p99_9:.1f} ms, at most {load.max:.0f} ms, from the due time of each request. Errors: {errors}.",
            report.table(
                ["backend", "state", "requests", "retries", *kinds],
                [
                    [b["addr"], b["state"], f"{b['total_req_count']:,}", str(b["retries"])]
                    + [str(b["failures"][kind]) for kind in kinds]
                    for b in stats
                ],
            ),
            "Growth is the rise of the least squares line, without the first fifth of the run.",
            _vitals(samples),
            "Heap in use after a collection: " + " before, ".join(_megabytes(size) for size in heap) + " after.",
            _course(samples),
            f"**Failed**: {'; '.join(problems)}." if problems else "Memory, files and threads are flat; every error is explained.",
        ]
    )


def _megabytes(size):
    return "unknown (no jcmd)" if size is None else f"{size / 1e6:.1f} MB"


def _vitals(samples):
    if len(samples) < 10:
        return "Too few samples."
    rows = [
        [name, *(f"{figure:.1f}" for figure in figures), "flat" if is_flat else "**grows**"]
        for name, *figures, is_flat in vitals.evaluate(samples)
    ]
    return report.table(["", "first", "last", "highest", "growth", "allowed", ""], rows)


def _course(samples):
    """Returns some evenly spaced samples of the whole run."""
    shown = samples[:: max(1, len(samples) // _ROWS)]
    rows = [
        [f"{seconds:.0f}", *(f"{value / vital.unit:.1f}" for vital, value in zip(vitals.VITALS, values))]
        for seconds, values in shown
    ]
    return report.table(["s", *(vital.name for vital in vitals.VITALS)], rows)
