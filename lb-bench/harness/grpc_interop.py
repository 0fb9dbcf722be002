"""The program behind lb-bench/grpc-interop: gRPC's interoperability cases, with its client and server in Go."""

import subprocess

from harness import cache, certificate, ports, subjects
from harness.workplace import await_true

_VERSION = "v1.85.0"
_CLIENT, _SERVER = "google.golang.org/grpc/interop/client", "google.golang.org/grpc/interop/server"
_TIMEOUT_SECONDS = 60
# All cases of the client, except those that need a cloud account, and pick_first_unary, which the Go server does not
# support.
CASES = (
    "empty_unary",
    "large_unary",
    "client_streaming",
    "server_streaming",
    "ping_pong",
    "empty_stream",
    "timeout_on_sleeping_server",
    "cancel_after_begin",
    "cancel_after_first_response",
    "status_code_and_message",
    "special_status_message",
    "custom_metadata",
    "unimplemented_method",
    "unimplemented_service",
    "orca_per_rpc",
    "orca_oob",
    "rpc_soak",
    "channel_soak",
)
_SOAK = ("-soak_iterations=50", "-soak_max_failures=0", "-soak_overall_timeout_seconds=30")
# How the client receives the load reports of a server.
_ORCA = ('-service_config_json={"loadBalancingConfig":[{"test_backend_metrics_load_balancer":{}}]}',)
_OPTIONS = {"rpc_soak": _SOAK, "channel_soak": _SOAK, "orca_per_rpc": _ORCA, "orca_oob": _ORCA}


def main(arguments=None):
    parser = subjects.parser("grpc-interop", "Runs gRPC's interoperability cases through a balancer, with TLS and without.")
    parser.add_argument("--cases", type=lambda text: tuple(text.split(",")), default=CASES, help="such as large_unary (all)")
    options = parser.parse_args(arguments)
    return subjects.run(options, "grpc-interop", _test)


def _test(place, options):
    client, server = cache.go_tool(_CLIENT, _VERSION), cache.go_tool(_SERVER, _VERSION)
    backend = _Server(place, server)

    def call(port, case, *words):
        return run(client, port, case, words)

    await_true(lambda: not call(backend.port, "empty_unary"), "the interoperability server", 20, backend.started)
    running = subjects.start(
        options.against, place, "conformance-grpc", [backend], lambda running: not call(running.port, "empty_unary")
    )
    trusted = ("-use_tls", "-use_test_ca", f"-ca_file={certificate.make(place).authority}", "-server_host_override=localhost")
    checks = subjects.Checks()
    for case in options.cases:
        # A case that fails without a balancer says nothing about the balancer.
        fault = call(backend.port, case)
        if fault:
            checks.skip(f"{case}: fails without a balancer, {fault}")
            continue
        _record(checks, case, "h2c", call(running.port, case))
        _record(checks, case, "TLS", call(running.tls_port, case, *trusted))
        running.started.require_running()
    text = subjects.write(
        f"gRPC interoperability: {running.name}",
        "The cases of gRPC's interoperability tests, between its client and server in Go.",
        [(running.name, running.version), ("google.golang.org/grpc", _VERSION)],
        ["case", "connection"],
        checks,
    )
    return text, not checks.failures and bool(checks.rows)


class _Server:
    """gRPC's interoperability server, on an address of its own."""

    name = "backend-1"

    def __init__(self, place, program):
        self.port = ports.free()
        self.address = f"{ports.LOOPBACK}:{self.port}"
        self.started = place.start(self.name, [program, f"-port={self.port}"])


def run(client, port, case, words=()):
    """Runs one case; returns the error, empty on success."""
    where = (f"-server_host={ports.LOOPBACK}", f"-server_port={port}", f"-test_case={case}")
    command = [client, *where, *_OPTIONS.get(case, ()), *words]
    try:
        done = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, check=False, timeout=_TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired:
        return f"did not exit within {_TIMEOUT_SECONDS} s"
    if done.returncode == 0:
        return ""
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[-1][-300:] if lines else f"exited with {done.returncode}"


def _record(checks, case, connection, fault):
    checks.record([fault] if fault else [], case, connection)
