"""The program behind lb-bench/prometheus: a real Prometheus loads the rules and executes every query of the dashboard.
"""

import argparse
import http.client
import json
import re
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from harness import backends, ballast, certificate, conditions, dns_client, dns_wire, loopback, ports, report
from harness.peers import ballast_version
from harness.workplace import ROOT, Failure, Workplace, await_true, run_program, say

RULES = ROOT / "docker" / "prometheus" / "alerts.yaml"
RULE_TESTS = ROOT / "docker" / "prometheus" / "alerts.test.yaml"
CONFIG = ROOT / "docker" / "prometheus" / "prometheus.yml"
DASHBOARD = ROOT / "docker" / "grafana" / "ballast.json"

# Alerts that must fire when one backend is killed, and when all are.
ONE_KILLED = ("BallastBackendDown",)
ALL_KILLED = ("BallastPoolDown", "BallastOutage", "BallastMostlyErrors", "BallastDnsFailures")

_SCRAPE_SECONDS = 1
_WINDOW = "15s"
_TIMEOUT_SECONDS = 90
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("prometheus", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="prometheus",
        description="Checks the alert rules by promtool, executes every query of the dashboard, kills backends until alerts fire.",
    )
    parser.add_argument("--seconds", type=int, default=30, help="seconds of load before the dashboard's queries (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


@dataclass(frozen=True)
class Panel:
    """A query of the dashboard and its result: the number of series, or the error."""

    row: str
    title: str
    query: str
    series: int = 0
    error: str = ""

    @property
    def is_understood(self):
        return not self.error


@dataclass(frozen=True)
class Firing:
    """The delay from the kill to an alert; None if it did not fire."""

    when: str
    alert: str
    seconds: float | None


def _run(options):
    for tool in ("prometheus", "promtool"):
        if not shutil.which(tool):
            raise Failure(f"{tool} is missing (expected: apt-get install prometheus)")
    with Workplace() as place:
        facts = conditions.gather()
        facts.append(("Prometheus", conditions.tool_version(["prometheus", "--version"])))
        checks = [
            _promtool("check", "rules", RULES),
            _promtool("test", "rules", RULE_TESTS),
            _promtool("check", "config", CONFIG),
        ]
        ballast.build()
        servers = backends.start(place, count=3)
        listen, secure, dns, page = ports.free(), ports.free(), ports.free(ports.DNS), ports.free()
        running = ballast.Ballast(place, config(servers, certificate.make(place), listen, secure, dns, page), listen, page)
        facts.append(("ballast", ballast_version(running)))
        with LoadClients(listen, dns):
            prometheus = Prometheus(place, page)
            say(f"{options.seconds} s of load")
            time.sleep(options.seconds)
            quiet = sorted({alert["labels"]["alertname"] for alert in prometheus.alerts()})
            panels = [prometheus.exchange(panel) for panel in panels_of(json.loads(DASHBOARD.read_text()))]
            say("one backend is killed")
            firings = prometheus.await_alerts("one of three backends is killed", ONE_KILLED, servers[:1])
            say("all backends are killed")
            firings += prometheus.await_alerts("all are", ALL_KILLED, servers[1:])
            killed = [prometheus.exchange(panel) for panel in panels_of(json.loads(DASHBOARD.read_text()))]
        running.started.require_running()
    return _report(facts, checks, quiet, panels, killed, firings), is_good(checks, quiet, panels + killed, firings)


def is_good(checks, quiet, panels, firings):
    """Returns whether promtool accepts the rules, no alert fired without a fault, each query is valid, and each alert
    fired in time."""
    return (
        all(ok for _, ok, _ in checks)
        and not quiet
        and all(panel.is_understood for panel in panels)
        and all(firing.seconds is not None for firing in firings)
    )


def _promtool(*arguments):
    """Returns (command, whether it succeeded, the last line of its output)."""
    done = subprocess.run(["promtool", *map(str, arguments)], capture_output=True, text=True, check=False)
    words = (done.stdout + done.stderr).strip().splitlines()
    if done.returncode != 0:
        say("\n".join(words))
    name = " ".join(["promtool", *arguments[:-1], arguments[-1].name])
    return name, done.returncode == 0, words[-1].strip() if words else ""


def config(servers, files, listen, secure, dns, page):
    """Returns a configuration with everything that the dashboard shows: a plain and a TLS listener, and DNS over the
    same pool."""
    members = ", ".join(f'"{server.address}"' for server in servers)
    return (
        "listeners:\n"
        f'  - {{name: front, bind: "{ports.LOOPBACK}:{listen}", pool: web}}\n'
        f'  - {{name: secure, bind: "{ports.LOOPBACK}:{secure}", pool: web,'
        f' tls: {{certificate: "{files.certificate}", key: "{files.key}"}}}}\n'
        f"pools:\n  web: {{backends: [{members}], health: {{type: tcp, interval: 1s}}}}\n"
        f'dns:\n  listeners: [{{bind: "{ports.LOOPBACK}:{dns}"}}]\n'
        "  zones: [{name: example.org, services: [{name: www, pool: web, when_all_down: servfail}]}]\n"
        f"dashboard: {{bind: {ports.LOOPBACK}:{page}}}\n"
    )


# ---- the dashboard


def panels_of(dashboard):
    """Returns every query of the dashboard, with Grafana's variables replaced."""
    panels, row = [], ""
    for panel in dashboard["panels"]:
        if panel["type"] == "row":
            row = panel["title"]
        for target in panel.get("targets", ()):
            panels.append(Panel(row, panel["title"], filled(target["expr"])))
    return panels


def filled(query):
    """Replaces the variables: all values, and a window of several scrapes."""
    return re.sub(r"\$(job|instance|listener|pool)\b", ".*", query.replace("$__rate_interval", _WINDOW))


def quickened(rules):
    """Returns the rules with a hold time of one second, and the window of the run."""
    return re.sub(r"\[\d+m]", f"[{_WINDOW}]", re.sub(r"\bfor: \w+", "for: 1s", rules))


class Prometheus:
    """A Prometheus that scrapes the dashboard every second."""

    def __init__(self, place, page):
        self.port = ports.free()
        (place.directory / "alerts.yaml").write_text(quickened(RULES.read_text()))
        text = CONFIG.read_text().replace("15s", f"{_SCRAPE_SECONDS}s")
        text = re.sub(r'"127\.0\.0\.1:\d+"', f'"{ports.LOOPBACK}:{page}"', text)
        self.started = place.start(
            "prometheus",
            [
                "prometheus",
                f"--config.file={place.write('prometheus.yml', text)}",
                f"--storage.tsdb.path={place.subdirectory('prometheus')}",
                f"--web.listen-address={ports.LOOPBACK}:{self.port}",
                "--log.level=warn",
            ],
        )
        ready = f"http://{ports.LOOPBACK}:{self.port}/-/ready"
        await_true(lambda: loopback.is_ok(ready), "Prometheus to be ready", 20, self.started)

    def _get(self, path, **parameters):
        """Returns the API's response, also for a failed query."""
        url = f"http://{ports.LOOPBACK}:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with _opener.open(url, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def exchange(self, panel):
        answer = self._get("query", query=panel.query)
        if answer["status"] != "success":
            return Panel(panel.row, panel.title, panel.query, error=answer["error"])
        return Panel(panel.row, panel.title, panel.query, series=len(answer["data"]["result"]))

    def alerts(self):
        """Returns the firing alerts."""
        return [alert for alert in self._get("alerts")["data"]["alerts"] if alert["state"] == "firing"]

    def await_alerts(self, when, names, servers):
        """Kills servers; returns after how many seconds each alert fired."""
        for server in servers:
            server.kill()
        begin, fired = time.monotonic(), {}
        while len(fired) < len(names) and time.monotonic() - begin < _TIMEOUT_SECONDS:
            for alert in self.alerts():
                fired.setdefault(alert["labels"]["alertname"], time.monotonic() - begin)
            fired = {name: seconds for name, seconds in fired.items() if name in names}
            time.sleep(0.2)
        return [Firing(when, name, fired.get(name)) for name in names]


# ---- the load


class LoadClients:
    """An HTTP and a DNS client with fifty requests per second each, while the context is active."""

    def __init__(self, listen, dns):
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._request_http, args=(listen,), daemon=True),
            threading.Thread(target=self._query_dns, args=(dns,), daemon=True),
        ]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _request_http(self, port):
        connection = http.client.HTTPConnection(ports.LOOPBACK, port, timeout=5)
        while not self._over.wait(0.02):
            try:
                connection.request("GET", "/")
                connection.getresponse().read()
            except (OSError, http.client.HTTPException):
                connection.close()
        connection.close()

    def _query_dns(self, port):
        query = dns_wire.question("www.example.org", "A")
        while not self._over.wait(0.02):
            try:
                dns_client.exchange(port, query, seconds=1)
            except OSError:
                pass


# ---- the report


def _report(facts, checks, quiet, panels, killed, firings):
    understood = [panel for panel in panels if panel.is_understood]
    errors = [panel for panel in panels + killed if not panel.is_understood]
    rows = [
        [before.row, before.title, str(before.series), str(after.series)] for before, after in zip(panels, killed)
    ]
    parts = [
        "# prometheus",
        f"A Prometheus that scrapes Ballast every {_SCRAPE_SECONDS} s, one HTTP client and one DNS client. The rules of"
        " docker/prometheus/alerts.yaml are checked and tested unchanged; while backends are killed, each rule has a hold time of one second"
        f" instead of its time, over windows of {_WINDOW}.",
        report.conditions(facts),
        report.table(
            ["promtool", "", "said"],
            [[f"`{name}`", "ok" if ok else "**failed**", words] for name, ok, words in checks],
        ),
        f"Alerts without a fault: {', '.join(quiet) if quiet else 'none'}.",
        report.table(
            ["when", "alert", "fires after s"],
            [
                [firing.when, firing.alert, "**never**" if firing.seconds is None else f"{firing.seconds:.1f}"]
                for firing in firings
            ],
        ),
        f"The dashboard's queries: {len(understood)} of {len(panels)} are valid. The number of series of each, without a fault"
        " and when all backends are killed; a query about failures or unused features has none.",
        report.table(["row", "panel", "well", "killed"], rows),
    ]
    if errors:
        parts.append("\n".join(f"- {panel.title}: {panel.error}: `{panel.query}`" for panel in errors))
    return "\n\n".join(parts)
