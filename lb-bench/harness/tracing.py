"""The program behind lb-bench/tracing: checks the traces of requests that a real Jaeger has received."""

import argparse
import json
from pathlib import Path

from harness import ballast, cache, loopback, ports, subjects
from harness.echo import EchoServer, fetch
from harness.template import fill_peer
from harness.workplace import await_true

_PACKAGE, _VERSION = "github.com/jaegertracing/jaeger/cmd/all-in-one", "v1.76.0"
_START_SECONDS, _ARRIVAL_SECONDS = 30, 30


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="tracing", description="Sends the traces of requests to Jaeger and reads them back.")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    parser.add_argument("--jaeger", type=Path, help="use this program instead of building it")
    return subjects.run(parser.parse_args(arguments), "tracing", _test)


def _test(place, options):
    jaeger = Jaeger(place, options.jaeger or cache.go_module_tool(_PACKAGE, _VERSION))
    app = EchoServer()
    port, dashboard_port = ports.free(), ports.free()
    values = {"otlp_port": jaeger.otlp_port, "app_port": app.port, "closed_port": ports.free()}
    text = fill_peer("tracing/ballast.yaml", {**values, "port": port, "dashboard_port": dashboard_port})
    running = ballast.Ballast(place, text, port, dashboard_port)
    checks = subjects.Checks()
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    answer = fetch(port, "/shop?secret=1", {"traceparent": parent, "User-Agent": "test"})
    received = dict(json.loads(answer.body))["traceparent"]
    _check(checks, "request with a backend", jaeger, received.split("-")[1], 2, answer.status)
    spans = jaeger.trace(received.split("-")[1])
    attempt = next((span for span in spans if tags(span).get("span.kind") == "client"), {"spanID": "none"})
    _expect(checks, "header of the backend", received.split("-")[2] == attempt["spanID"], received)
    _expect(checks, "trace of a stranger", parent.split("-")[1] not in received, received)
    _expect(checks, "query", "secret" not in json.dumps(spans), "not recorded")
    down = fetch(port, "/down/", {"Accept": "application/json"})
    _check(checks, "refused connection", jaeger, json.loads(down.body)["trace_id"], 2, down.status)
    running.started.require_running()
    report = subjects.write(
        "Traces in Jaeger",
        "Requests through Ballast, whose spans Jaeger received over OTLP and returned by its API.",
        [("Jaeger", _VERSION)],
        ["case", "result"],
        checks,
    )
    return report, not checks.failures


def _check(checks, case, jaeger, trace, spans, status):
    await_true(lambda: len(jaeger.trace(trace)) == spans, f"{spans} spans of a {case}", _ARRIVAL_SECONDS)
    statuses = [tags(span).get("http.response.status_code") for span in jaeger.trace(trace)]
    _expect(checks, case, status in statuses, f"{spans} spans, status {status}")


def _expect(checks, case, holds, result):
    checks.record([] if holds else ["unexpected"], case, result)


def tags(span):
    """Returns the attributes of a span of Jaeger's API by name."""
    return {tag["key"]: tag["value"] for tag in span["tags"]}


class Jaeger:
    """A running Jaeger with storage in memory."""

    def __init__(self, place, program):
        self.otlp_port, self._api_port = ports.free(), ports.free()
        others = ["--admin.http.host-port", "--collector.http-server.host-port", "--collector.grpc-server.host-port"]
        others += ["--query.grpc-server.host-port", "--collector.otlp.grpc.host-port"]
        command = [program, f"--collector.otlp.http.host-port={ports.LOOPBACK}:{self.otlp_port}"]
        command += [f"--query.http-server.host-port={ports.LOOPBACK}:{self._api_port}"]
        command += [f"{option}={ports.LOOPBACK}:{ports.free()}" for option in others]
        self._started = place.start("jaeger", command)
        await_true(lambda: loopback.is_ok(self._url("services")), "Jaeger to answer", _START_SECONDS, self._started)

    def _url(self, resource):
        return f"http://{ports.LOOPBACK}:{self._api_port}/api/{resource}"

    def trace(self, number):
        """Returns the spans of a trace; none if it is unknown."""
        if not loopback.is_ok(self._url(f"traces/{number}")):
            return []
        return json.loads(loopback.get(self._url(f"traces/{number}")))["data"][0]["spans"]
