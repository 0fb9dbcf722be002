"""The program behind lb-bench/cache-tests: the policy cache against the public suite http-tests/cache-tests."""

import argparse
import json
import os
import socket
import subprocess
from collections import Counter
from pathlib import Path

from harness import ballast, cache, ports, subjects
from harness.template import fill_peer
from harness.workplace import BENCH, Failure, await_true, say

_REPOSITORY, _COMMIT = "https://github.com/http-tests/cache-tests.git", "b55b8bda3dbb8c927c04e85bd8d496a8caa3e4ba"
_HTTP_CLIENT = "undici@7.30.2"
_RUN_TIMEOUT_SECONDS = 600
# Required tests whose preparation fails on purpose.
_EXCUSED = {
    "headers-store-Set-Cookie": "a response with Set-Cookie is never stored",
    "headers-store-Transfer-Encoding": "a response with an unknown transfer coding is refused with 502",
}
_GOOD = ("pass", "yes")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="cache-tests", description="Runs http-tests/cache-tests; every required test must pass.")
    parser.add_argument("--suite", type=Path, help="a checkout of the suite (default: fetched from GitHub)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return subjects.run(parser.parse_args(arguments), "cache-tests", _test)


def _test(place, options):
    suite = options.suite or cache.git_checkout(_REPOSITORY, _COMMIT)
    _install_client(suite)
    suite_port = ports.free()
    environment = {"npm_config_protocol": "http", "npm_config_port": str(suite_port), "npm_config_pidfile": str(place.directory / "pid")}
    server = place.start("suite", ["node", suite / "test-engine/server/server.mjs"], environment)
    await_true(lambda: _listens(suite_port), "the suite's server to listen", 20, server)
    port, dashboard_port = ports.free(), ports.free()
    text = fill_peer("cache/ballast.yaml", {"port": port, "dashboard_port": dashboard_port, "suite_port": suite_port})
    running = ballast.Ballast(place, text, port, dashboard_port)
    results = place.write("results.json", _run(suite, port))
    running.started.require_running()
    evaluated = _evaluate(suite, results)
    checks = subjects.Checks()
    (row, failures), *advice = summary(evaluated)
    checks.record([f"{test['id']}: {test['reason'] or test['result']}" for test in failures], *row)
    report = subjects.write(
        "Cache: http-tests/cache-tests",
        "Each required test must pass. "
        + " ".join(f"Excused: {name}, because {why}." for name, why in _EXCUSED.items()),
        [("cache-tests", _COMMIT[:12]), ("Node", subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip())],
        ["kind", "tests", "passed or yes", "other results"],
        checks,
    )
    figures = "\n".join(f"- {kind}: {good} of {count} pass or answer yes; others: {others}" for (kind, count, good, others), _ in advice)
    return "\n\n".join([report, "Tests without obligation:", figures, _unmet(evaluated)]), not checks.failures


def _listens(port):
    with socket.socket() as client:
        return client.connect_ex((ports.LOOPBACK, port)) == 0


def _install_client(suite):
    """Installs the suite's HTTP client, which it needs for interim responses; its other packages are not needed."""
    if not (suite / "node_modules" / "undici").exists():
        cache.npm_packages(suite, _HTTP_CLIENT)


def _run(suite, port):
    say("running the suite")
    environment = {**os.environ, "npm_config_base": f"http://{ports.LOOPBACK}:{port}", "npm_config_id": "", "npm_package_config_id": ""}
    done = subprocess.run(
        ["node", "--no-warnings", "test-engine/cli.mjs"],
        cwd=suite,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=_RUN_TIMEOUT_SECONDS,
    )
    if done.returncode != 0:
        raise Failure(f"the suite failed: {done.stderr[-2000:]}")
    return done.stdout


def _evaluate(suite, results):
    command = ["node", BENCH / "harness" / "cache_tests.mjs", suite.resolve(), results]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"the results cannot be read: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def summary(evaluated):
    """Returns, for each kind of tests, its row of the table and the tests that fail the run."""
    rows = []
    for kind in ("required", "optimal", "check"):
        tests = [test for test in evaluated if test["kind"] == kind]
        others = Counter(test["result"] for test in tests if test["result"] not in _GOOD)
        names = ", ".join(f"{count} {name}" for name, count in sorted(others.items()))
        failures = [test for test in tests if kind == "required" and test["result"] not in _GOOD and test["id"] not in _EXCUSED]
        row = (kind, len(tests), len(tests) - sum(others.values()), names or "none")
        rows.append((row, failures if tests else [{"id": kind, "reason": "no test ran", "result": ""}]))
    return rows


def _unmet(evaluated):
    lines = [
        f"- {test['id']}: {test['reason'] or test['result']}"
        for test in evaluated
        if test["kind"] == "optimal" and test["result"] not in _GOOD
    ]
    return "\n".join(["Optimal tests that do not pass:", "", *lines]) if lines else ""
