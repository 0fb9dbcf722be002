"""The program behind lb-bench/big-bodies: bodies far larger than the allowed memory."""

import argparse
import http.client
import time
from pathlib import Path

from harness import ballast, bodies, conditions, procfs, report
from harness.workplace import Workplace, run_program, say

_MAX_MEMORY = 200e6


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("big-bodies", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="big-bodies", description="Transfers large bodies in both directions and checks their bytes and Ballast's peak memory."
    )
    parser.add_argument("--mib", type=int, default=1024, help="size of each body (%(default)s)")
    parser.add_argument("--stall", type=float, default=2, help="seconds for which each receiver stops reading (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    size = options.mib << 20
    with Workplace() as place:
        facts = conditions.gather()
        backend = bodies.BigBackend(size, options.stall)
        config, port, dashboard_port = ballast.config("ballast.yaml", {}, [backend])
        running = ballast.Ballast(place, config, port, dashboard_port)
        at_rest = procfs.memory_bytes(running.started.pid, "VmHWM")
        rows, good = [], True
        for name, transfer in _transfers(port, size, options.stall):
            begin = time.monotonic()
            moved, is_same = _tried(transfer)
            seconds = time.monotonic() - begin
            peak = procfs.memory_bytes(running.started.pid, "VmHWM")
            say(f"{name}: {'same bytes' if is_same else 'FAILED'}, peak {peak / 1e6:.0f} MB")
            rows.append([name, f"{moved:,}", "yes" if is_same else "**no**", f"{seconds:.1f}", f"{peak / 1e6:.0f}"])
            good &= is_same
        running.started.require_running()
        backend.shutdown()
    good &= peak < _MAX_MEMORY
    return "\n\n".join(
        [
            "# big-bodies",
            f"Bodies of {options.mib} MiB through Ballast, one after the other; each receiver stops reading for"
            f" {options.stall:g} s during the transfer. Client and backend are Python: the times say nothing about Ballast.",
            report.conditions(facts),
            report.table(["body", "bytes", "same bytes", "seconds", "peak RSS MB so far"], rows),
            f"Peak resident memory {peak / 1e6:.0f} MB ({at_rest / 1e6:.0f} MB before), bar < {_MAX_MEMORY / 1e6:.0f} MB:"
            f" {'met' if peak < _MAX_MEMORY else '**not met**'}.",
        ]
    ), good


def _transfers(port, size, stall):
    for chunked in (False, True):
        framing = "chunked" if chunked else "by length"
        yield f"download, {framing}", lambda chunked=chunked: bodies.download(port, size, stall, chunked)
        yield f"upload, {framing}", lambda chunked=chunked: bodies.upload(port, size, chunked)


def _tried(transfer):
    try:
        return transfer()
    except (OSError, http.client.HTTPException) as failure:
        say(f"{type(failure).__name__}: {failure}")
        return 0, False
