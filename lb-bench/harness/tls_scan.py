"""The program behind lb-bench/tls-scan: checks TLS listeners against Mozilla's recommendations with sslyze."""

import re
import subprocess

from harness import backends, cache, certificate, loopback, ports, subjects

_VERSION = "6.3.1"
_TIMEOUT_SECONDS = 300


def main(arguments=None):
    parser = subjects.parser("tls-scan", "Checks a TLS listener against Mozilla's recommendations with sslyze.")
    parser.add_argument(
        "--configurations",
        type=lambda text: text.split(","),
        default=["intermediate", "modern"],
        help="configurations of Mozilla, such as intermediate (intermediate,modern)",
    )
    options = parser.parse_args(arguments)
    return subjects.run(options, "tls-scan", _test)


def _test(place, options):
    program = cache.venv("sslyze", f"sslyze=={_VERSION}") / "sslyze"
    checks, facts = subjects.Checks(), [("sslyze", _VERSION)]
    behind = backends.start(place, 1)
    for configuration in options.configurations:
        running = subjects.start(options.against, place, f"tls-{configuration}", behind, _answers)
        facts = [(running.name, running.version), *facts[-1:]]
        checks.record(_scan(program, place, configuration, running.port), configuration)
        running.started.require_running()
        running.started.stop()
    text = subjects.write(
        f"TLS according to Mozilla's recommendations: {options.against}",
        "One listener for each configuration, scanned by sslyze: versions, suites, curves, certificate, known weaknesses.",
        facts,
        ["configuration"],
        checks,
    )
    return text, not checks.failures


def _answers(running):
    return loopback.is_ok(f"https://{subjects.address(running.port)}/")


def _scan(program, place, configuration, port):
    authority = certificate.make(place).authority
    target = f"localhost:{port}{{{ports.LOOPBACK}}}"
    command = [program, "--mozilla_config", configuration, "--certinfo_ca_file", authority, target]
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, timeout=_TIMEOUT_SECONDS
    )
    return verdict(done.returncode, done.stdout)


def verdict(code, text):
    """Returns sslyze's findings; empty if the listener complies."""
    _, _, compliance = text.partition("COMPLIANCE AGAINST TLS CONFIGURATION")
    issues = re.findall(r"^\s+\* (.+)$", compliance, re.MULTILINE)
    if code == 0 and re.search(r"OK - Compliant", compliance):
        return []
    return issues or [f"sslyze exited with {code}: {text[-400:]}"]
