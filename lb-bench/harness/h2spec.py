"""The program behind lb-bench/h2spec: conformance to RFC 9113 and RFC 7541, with and without TLS."""

import subprocess
import xml.etree.ElementTree as ElementTree

from harness import backends, cache, loopback, subjects

_PACKAGE, _VERSION = "github.com/summerwind/h2spec/cmd/h2spec", "v2.2.1+incompatible"
# A port that also accepts HTTP/1.1 treats an invalid preface as a bad request, and responds before it closes.
_PREFACE_CASE = "http2/3.5 Sends invalid connection preface"
_PREFACE_ANSWER = "looked like an HTTP/1.1 header"
_RUN_TIMEOUT_SECONDS = 600
# h2spec's response timeout.
_TIMEOUT_SECONDS = 5


def main(arguments=None):
    parser = subjects.parser("h2spec", "Runs h2spec over TLS and over h2c by prior knowledge; every case must pass.")
    parser.add_argument("--strict", action="store_true", help="also h2spec's strict cases")
    options = parser.parse_args(arguments)
    return subjects.run(options, "h2spec", _test)


def _test(place, options):
    program = cache.go_tool(_PACKAGE, _VERSION)
    running = subjects.start(options.against, place, "conformance", backends.start(place, 1), _answers)
    checks = subjects.Checks()
    for name, port, words in (
        ("TLS, ALPN", running.tls_port, ["-t", "-k"]),
        ("h2c, prior knowledge", running.port, []),
    ):
        if options.strict:
            words = [*words, "-S"]
        count, skipped, failed = _run_suite(program, place.directory / "h2spec.xml", port, words)
        left = failed if port == running.tls_port else unexcused(failed)
        _record(checks, name, count, skipped, len(failed) - len(left), left)
        running.started.require_running()
    text = subjects.write(
        f"h2spec: {running.name}",
        "h2spec's tests of RFC 9113 and RFC 7541, with a backend that responds from memory. Without TLS, where the port accepts"
        " HTTP/1.1 too, an invalid connection preface may be answered as a bad HTTP/1.1 request.",
        [(running.name, running.version), ("h2spec", _VERSION.split("+")[0])],
        ["connection", "cases", "passed", "skipped", "excused", "failed"],
        checks,
    )
    return text, not checks.failures


def _answers(running):
    return loopback.is_ok(f"http://{subjects.address(running.port)}/")


def _run_suite(program, file, port, words):
    """Returns (cases, skipped, {failed case: reason})."""
    file.unlink(missing_ok=True)
    command = [program, "-p", port, "-o", _TIMEOUT_SECONDS, "-j", file, *words]
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=_RUN_TIMEOUT_SECONDS
    )
    if not file.exists():
        return 0, 0, {"h2spec wrote no report": (done.stdout + done.stderr)[-400:]}
    return parse(file.read_text())


def parse(junit):
    """Parses h2spec's report: number of cases, of skipped ones, and the failures with their reasons."""
    cases = list(ElementTree.fromstring(junit).iter("testcase"))
    skipped = sum(case.find("skipped") is not None for case in cases)
    failed = {}
    for case in cases:
        fault = case.find("failure")
        fault = case.find("error") if fault is None else fault
        if fault is not None:
            failed[f"{case.get('package')} {case.get('classname')}"] = " ".join("".join(fault.itertext()).split())
    return len(cases), skipped, failed


def unexcused(failed):
    """Returns the failures on a port that also accepts HTTP/1.1, without those that are bad HTTP/1.1 requests."""
    return {case: why for case, why in failed.items() if case != _PREFACE_CASE or _PREFACE_ANSWER not in why}


def _record(checks, name, count, skipped, excused, failed):
    row = (name, count, count - skipped - excused - len(failed), skipped, excused, len(failed))
    if not failed and count > skipped:
        checks.passed(*row)
        return
    checks.failed("; ".join(f"{case}: {why}" for case, why in failed.items()) or "no case ran", *row)
