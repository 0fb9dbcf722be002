"""The program behind lb-bench/api-fuzz: checks the API against its OpenAPI description with schemathesis."""

import argparse
import re
import subprocess
from pathlib import Path

from harness import backends, cache, conditions, javas, launches, loopback, ports, report, subjects
from harness.template import fill_peer
from harness.workplace import await_true, say

_VERSION = "4.32.5"
_TIMEOUT_SECONDS = 1800
_START_SECONDS = 30
_MAX_CURL = 400
# Not tested: a stream that never ends, and the reload, which would read the same file thousands of times.
_EXCLUDED = ("/api/v1/stream", "/api/v1/reload")


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="api-fuzz", description="Checks the API against its OpenAPI description with all checks of schemathesis."
    )
    parser.add_argument("--examples", type=int, default=100, help="examples per operation (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return subjects.run(parser.parse_args(arguments), "api-fuzz", _test)


def _test(place, options):
    program = cache.venv("schemathesis", f"schemathesis=={_VERSION}") / "schemathesis"
    behind = [backend.address for backend in backends.start(place, 2)]
    dashboard = ports.free()
    started = _start(place, behind, dashboard)
    url = f"http://{ports.LOOPBACK}:{dashboard}"
    await_true(lambda: loopback.is_ok(url + "/readyz"), "Ballast to be ready", _START_SECONDS, started)
    settings = place.write("schemathesis.toml", fill_peer("api/schemathesis.toml", {"backend": behind[0]}))
    command = [program, "--config-file", settings, "run", f"{url}/api/v1/openapi.json", "--url", url]
    for path in _EXCLUDED:
        command += ["--exclude-path", path]
    command += ["--max-examples", options.examples, "--workers", 1]
    say(f"running schemathesis with {options.examples} examples per operation")
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=_TIMEOUT_SECONDS
    )
    started.require_running()
    found = findings(done.stdout)
    return _report(options, done.returncode, done.stdout, found), done.returncode == 0 and not found


def _start(place, behind, dashboard):
    data = place.directory / "data"
    data.mkdir(mode=0o700)
    values = {
        "data_dir": data,
        "port": ports.free(),
        "dns": ports.free(ports.DNS),
        "dashboard": dashboard,
        "backends": ", ".join(f'"{backend}"' for backend in behind),
        "list": place.write("ads.txt", "||ads.example^\n||ads.example.net^\n"),
    }
    launch = launches.Launch(javas.find()[-1], uses_lb=True, uses_archive=False)
    config = place.write("ballast.yaml", fill_peer("api/ballast.yaml", values))
    return place.start("ballast", [*launch.command(), "run", config], launch.environment())


def findings(text):
    """Returns schemathesis' failures as "operation: failure: how to reproduce it", in its order."""
    found = []
    for section in re.split(r"^_{3,} ", text, flags=re.MULTILINE)[1:]:
        operation = section.split(" _")[0]
        for failure, curl in re.findall(r"^- (ST\d+ .+?)$.*?^ +(curl .+?)$", section, re.MULTILINE | re.DOTALL):
            found.append(f"{operation}: {failure}: `{curl[:_MAX_CURL]}`")
    return found


def _report(options, code, text, found):
    cases = re.search(r"([\d,]+) generated", text)
    tested = re.search(r"Tested: (\d+)", text)
    verdict = "Nothing was found." if code == 0 and not found else f"**{max(1, len(found))} findings.**"
    rows = [[tested[1] if tested else "?", cases[1] if cases else "?", str(len(found))]]
    parts = [
        "# api-fuzz",
        "All checks of schemathesis against the API and its OpenAPI description: examples, boundary values, random"
        f" values and sequences of operations. {verdict}",
        report.conditions([*conditions.gather(), ("schemathesis", _VERSION), ("examples per operation", str(options.examples))]),
        report.table(["operations", "requests", "findings"], rows),
        "\n".join(f"- {each}" for each in found),
    ]
    if code != 0 and not found:
        parts.append(f"```\n{text[-2000:]}\n```")
    return "\n\n".join(part for part in parts if part)
