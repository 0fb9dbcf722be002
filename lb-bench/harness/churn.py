"""The program behind lb-bench/churn: load while backends are killed and restarted."""

import argparse
import time
from pathlib import Path

from harness import backends, ballast, conditions, failures, ports, backend_stopper, report, wrk
from harness.workplace import Failure, Workplace, run_program

_SETTLE_SECONDS = 0.5


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("churn", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="churn", description="Kills and restarts backends in turn under load; no retryable request may fail."
    )
    parser.add_argument("--connections", type=int, default=512, help="%(default)s")
    parser.add_argument("--seconds", type=int, default=60, help="length of the run (%(default)s)")
    parser.add_argument("--every", type=float, default=10, help="seconds from kill to kill (%(default)s)")
    parser.add_argument("--down", type=float, default=3, help="seconds until the restart (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    if not options.down < options.every:
        raise Failure(f"--down: {options.down} (expected: < {options.every}, which is --every)")
    with Workplace() as place:
        facts = conditions.gather()
        servers = [backends.NginxBackend(place, number) for number in range(1, 5)]
        for server in servers:
            server.await_ready()
        config, port, dashboard_port = ballast.config("ballast.yaml", {}, servers)
        running = ballast.Ballast(place, config, port, dashboard_port)
        killer = backend_stopper.BackendStopper(servers, options.every, options.down)
        killer.start()
        try:
            load = wrk.run(f"http://{ports.LOOPBACK}:{port}/", options.connections, options.seconds)
        finally:
            killer.stop()
        time.sleep(_SETTLE_SECONDS)
        running.started.require_running()
        stats = running.stats()["backends"]
    verdict = failures.evaluate(load.errors, sum(failures.cut_off(backend) for backend in stats))
    good = verdict.good and killer.ended > 0 and load.requests > 0
    return _report(options, facts, load, stats, killer.ended, verdict), good


def _report(options, facts, load, stats, kills, verdict):
    kinds = list(stats[0]["failures"])
    rows = [
        [backend["addr"], backend["state"], f"{backend['total_req_count']:,}", str(backend["retries"])]
        + [str(backend["failures"][kind]) for kind in kinds]
        for backend in stats
    ]
    errors = ", ".join(f"{kind} {count}" for kind, count in load.errors.items())
    result = "No retryable request failed." if verdict.good else f"**Failed**: {'; '.join(verdict.reasons)}."
    return "\n\n".join(
        [
            "# churn",
            f"{options.connections} connections for {options.seconds} s; a backend was killed (-9) {kills} times, and"
            f" restarted after {options.down:g} s.",
            report.conditions(facts),
            f"The client got {load.requests:,} successful responses ({load.rate:,.0f}/s), p99 {load.p99:.1f} ms, at most"
            f" {load.max:.0f} ms. Errors: {errors} (`status`: responses other than 2xx and 3xx).",
            report.table(["backend", "state", "requests", "retries", *kinds], rows),
            result,
        ]
    )
