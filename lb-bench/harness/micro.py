"""The program behind lb-bench/micro: the microbenchmarks of the hot paths with their bars."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

from harness import conditions, java, report
from harness.workplace import Failure, Workplace, run_program, say

# JMH divides all bytes that the thread allocates by its operations. JMH's own allocations appear as a fraction of a
# byte per operation, or more for slow operations; for slow operations, the rate per second is checked instead.
_NOTHING_BYTES = 0.1
_NOTHING_BYTES_PER_SECOND = 32e3


@dataclass(frozen=True)
class Suite:
    """The benchmarks of one class; `most_nanos` returns the time limit for given parameters, or None."""

    name: str
    about: str
    most_nanos: Callable[[dict], Optional[float]] = lambda parameters: None


def _pick_nanos(parameters):
    """Returns 15 ns; for the exact least-connection 1 ns for each of the at most 256 compared members."""
    if parameters["strategy"] == "LEAST_CONNECTION":
        return max(15.0, min(256, int(parameters["members"])))
    return 15.0


SUITES = (
    Suite("HeadScanBenchmark", "scanning a head of ten header lines", lambda parameters: 300.0),
    Suite("HeadRewriteBenchmark", "rewriting it, with forwarding headers"),
    Suite("RouteLookupBenchmark", "finding a request's route"),
    Suite("ChunkScanBenchmark", "scanning a chunked body"),
    Suite("PickBenchmark", "picking a backend", _pick_nanos),
    Suite("AnswerBenchmark", "answering a DNS query"),
    Suite("DecisionBenchmark", "selecting the records of an answer", lambda parameters: 150.0),
    Suite("CacheHitBenchmark", "answering a query from the forwarder's cache"),
    Suite("FilterBenchmark", "matching a name against up to a million rules"),
    Suite("RegionLookupBenchmark", "finding a client's region", lambda parameters: 60.0),
    Suite("CookieBenchmark", "creating and verifying a DNS cookie"),
    Suite("RateLimitBenchmark", "deciding on a query of a client's network"),
    Suite("RequestRateTableBenchmark", "charging a request to a rate limit with 100,000 keys", lambda parameters: 100.0),
    Suite("CidrSetBenchmark", "finding a client in up to a million networks"),
    Suite("PolicyBenchmark", "evaluating a rate limit and a list of addresses", lambda parameters: 300.0),
    Suite("RefusalBenchmark", "refusing a request by a rate limit, and recording its key", lambda parameters: 400.0),
    Suite("PoolPolicyBenchmark", "evaluating a concurrency limit or a circuit breaker"),
    Suite("JwtBenchmark", "recognizing a known JSON Web Token", lambda parameters: 1000.0),
    Suite("OidcBenchmark", "recognizing a known session", lambda parameters: 2000.0),
    Suite("TracingBenchmark", "tracing a request on the event loop", lambda parameters: 1000.0),
)


@dataclass(frozen=True)
class BenchmarkResult:
    name: str
    parameters: dict
    nanos: float
    error: float
    bytes: float

    @property
    def is_free_of_allocation(self):
        return self.bytes < _NOTHING_BYTES or self.bytes / self.nanos * 1e9 < _NOTHING_BYTES_PER_SECOND

    @property
    def label(self):
        values = ", ".join(f"{key}={value}" for key, value in self.parameters.items())
        return f"{self.name} ({values})" if values else self.name


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("micro", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="micro", description="Runs the JMH microbenchmarks of the hot paths; reports time and allocation with their bars."
    )
    names = [suite.name.removesuffix("Benchmark") for suite in SUITES]
    parser.add_argument("--only", type=lambda text: text.split(","), default=names, help=f"of {','.join(names)}")
    parser.add_argument("--quick", action="store_true", help="one short fork each: a smoke test, not a measurement")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    known = {suite.name.removesuffix("Benchmark"): suite for suite in SUITES}
    for name in options.only:
        if name not in known:
            raise Failure(f"--only: {name} (expected: some of {','.join(known)})")
    facts = conditions.gather()
    facts += [("Java", java.version())]
    parts, good = [], True
    with Workplace() as place:
        for suite in (known[name] for name in options.only):
            say(suite.name)
            results = parse(_measure(place, suite, options.quick))
            good &= all(is_met(suite, result) for result in results)
            parts += [f"## {suite.name}: {suite.about}", table(suite, results)]
    how = "one short fork each: the figures are meaningless" if options.quick else "JMH with its GC profiler"
    bar = (
        f"No hot path allocates: B/op is below {_NOTHING_BYTES:g}, or the allocation rate is below"
        f" {_NOTHING_BYTES_PER_SECOND / 1e3:g} kB/s; JMH itself allocates that much."
    )
    return "\n\n".join(["# micro", f"Average times by {how}. {bar}", report.conditions(facts), *parts]), good


def _measure(place, suite, quick):
    """Returns JMH's JSON output."""
    file = place.directory / f"{suite.name}.json"
    command = [java.executable(), "-jar", java.jar(), rf"\.{suite.name}\.", "-prof", "gc", "-rf", "json", "-rff", file]
    if quick:
        command += ["-f", "1", "-wi", "1", "-w", "200ms", "-i", "1", "-r", "200ms"]
    started = place.start(suite.name, command)
    started.wait()
    if not file.exists() or not file.read_text().strip():
        raise Failure(f"{suite.name} returned no result:\n{started.log_tail()}")
    return file.read_text()


def parse(text):
    """Parses JMH's JSON."""
    results = []
    for run in json.loads(text):
        metric, allocated = run["primaryMetric"], run["secondaryMetrics"]["gc.alloc.rate.norm"]
        if metric["scoreUnit"] != "ns/op":
            raise Failure(f"{run['benchmark']}: {metric['scoreUnit']} (expected: ns/op)")
        name = ".".join(run["benchmark"].split(".")[-2:]).replace("Benchmark", "")
        error = metric["scoreError"]
        results.append(
            BenchmarkResult(
                name,
                run.get("params", {}),
                metric["score"],
                # JMH writes the text NaN with too few runs.
                float(error) if not isinstance(error, str) else float("nan"),
                allocated["score"],
            )
        )
    return results


def is_met(suite, result):
    most = suite.most_nanos(result.parameters)
    return result.is_free_of_allocation and (most is None or result.nanos <= most)


def table(suite, results):
    rows = []
    for result in results:
        most = suite.most_nanos(result.parameters)
        spread = "" if result.error != result.error else f" ± {result.error:.1f}"
        rows.append(
            [
                result.label,
                f"{result.nanos:.1f}{spread}",
                "–" if most is None else f"≤ {most:g}",
                f"{result.bytes:.3f}",
                "0",
                "met" if is_met(suite, result) else "**not met**",
            ]
        )
    return report.table(["benchmark", "ns/op", "bar", "B/op", "bar", ""], rows)
