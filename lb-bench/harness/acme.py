"""The program behind lb-bench/acme: certificates ordered at a real ACME server, by each challenge."""

import argparse
import socket
import ssl
import time
from pathlib import Path

from harness import ballast, conditions, pebble, ports, subjects
from harness.template import fill_peer
from harness.workplace import Failure, Workplace, await_true, run_program, say

_ISSUE_SECONDS = 60
_LONG_LIFETIME_SECONDS = 90 * 24 * 3600
# Two thirds of it are 40 s.
_SHORT_LIFETIME_SECONDS = 60
_RENEWAL_SECONDS = 75
_QUIET_SECONDS = 5
_HTTP, _TLS, _DNS = "http-01", "tls-alpn-01", "dns-01"
_ZONE = """$ORIGIN {name}.
$TTL 60
@ IN SOA ns.{name}. hostmaster.{name}. 1 3600 600 604800 60
@ IN NS ns.{name}.
@ IN A 127.0.0.1
* IN A 127.0.0.1
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="acme", description="Orders certificates at Pebble: issue, renewal, restart, refusal, unreachable CA."
    )
    parser.add_argument("--out", type=Path, help="write the report to this file")
    options = parser.parse_args(arguments)
    return run_program("acme", _run, options.out)


def _run():
    checks = subjects.Checks()
    for scenario in (_issue_by_file, _issue_by_handshake, _issue_by_record, _renew, _keep, _refuse):
        say(scenario.__doc__)
        with Workplace() as place:
            try:
                scenario(place)
                checks.passed(scenario.__doc__)
            except (Failure, AssertionError, OSError) as reason:
                checks.failed(str(reason), scenario.__doc__)
    text = subjects.write(
        "ACME",
        "Certificates ordered at Pebble, the ACME server for tests of Let's Encrypt. It looks names up in Ballast's own zones,"
        " and rejects a fifth of all nonces.",
        [*conditions.gather(), ("Pebble", pebble.VERSION)],
        ["scenario"],
        checks,
    )
    return text, not checks.failures


class _Site:
    """A Ballast whose listener has names, and the CA that issues their certificates."""

    def __init__(self, place, challenge, names, lifetime_seconds=_LONG_LIFETIME_SECONDS):
        self.names = names
        self._place = place
        self._data = place.subdirectory("data")
        for zone in ("plain.example", "signed.example"):
            place.write(f"{zone}.zone", _ZONE.format(name=zone))
        self._ports = {"port": ports.free(), "http_port": ports.free(), "dashboard_port": ports.free()}
        self._dns_port = ports.free(ports.DNS)
        self.port = self._ports["port"]
        self.authority = pebble.Pebble(
            place, self._ports["http_port"], self.port, self._dns_port, lifetime_seconds
        )
        self._config = fill_peer(
            "acme/ballast.yaml",
            {
                **self._ports,
                "dns_port": self._dns_port,
                "ca_port": self.authority.port,
                "challenge": challenge,
                "trusted_ca": self.authority.authority,
                "data_dir": self._data,
                "directory": place.directory,
                "names": ", ".join(f'"{name}"' for name in names),
            },
        )
        self.process = None

    def start(self):
        self.process = ballast.Ballast(
            self._place, self._config, self.port, self._ports["dashboard_port"]
        ).started

    def restart(self):
        self.process.stop()
        self.start()

    def served(self, name, trust=None):
        """Returns the certificate that clients of a name accept; None if they reject it."""
        try:
            with socket.create_connection((ports.LOOPBACK, self.port), timeout=5) as client:
                with (trust or self.authority.trust()).wrap_socket(client, server_hostname=name) as secured:
                    return secured.getpeercert()
        except ssl.SSLError:
            return None

    def await_issued(self, name, seconds=_ISSUE_SECONDS):
        """Returns the first accepted certificate of a name."""
        trust = self.authority.trust()
        await_true(lambda: self.served(name, trust) is not None, f"a certificate of {name}", seconds, self.process)
        return self.served(name, trust)


def _issue(place, challenge, names, asked):
    site = _Site(place, challenge, names)
    site.authority.start()
    site.start()
    for name in asked:
        found = site.await_issued(name)
        covered = {value for kind, value in found["subjectAltName"] if kind == "DNS"}
        assert len(covered) == 1 and covered <= set(names), f"the certificate of {name} is for {covered}"


def _issue_by_file(place):
    """http-01: two names, on a listener that redirects every other request"""
    _issue(place, _HTTP, ["plain.example", "www.plain.example"], ["plain.example", "www.plain.example"])


def _issue_by_handshake(place):
    """tls-alpn-01: two names"""
    _issue(place, _TLS, ["plain.example", "www.plain.example"], ["plain.example", "www.plain.example"])


def _issue_by_record(place):
    """dns-01: wildcards and their parents, in an unsigned and in a signed zone"""
    names = ["plain.example", "*.plain.example", "signed.example", "*.signed.example"]
    _issue(place, _DNS, names, ["plain.example", "any.plain.example", "signed.example", "any.signed.example"])


def _renew(place):
    """renewal at two thirds of the lifetime; no client is rejected meanwhile"""
    site = _Site(place, _HTTP, ["plain.example"], _SHORT_LIFETIME_SECONDS)
    site.authority.start()
    site.start()
    first = site.await_issued("plain.example")
    trust, begin = site.authority.trust(), time.monotonic()
    while True:
        found = site.served("plain.example", trust)
        assert found is not None, f"rejected after {time.monotonic() - begin:.0f} s"
        if found["serialNumber"] != first["serialNumber"]:
            return
        assert time.monotonic() - begin < _RENEWAL_SECONDS, "not renewed in time"
        time.sleep(0.2)


def _keep(place):
    """restart: no new order; CA that lost its accounts and is unreachable: the last certificate stays in use"""
    site = _Site(place, _HTTP, ["plain.example"])
    site.authority.start()
    site.start()
    trust = site.authority.trust()
    first = site.await_issued("plain.example")
    site.authority.stop()
    site.restart()
    time.sleep(_QUIET_SECONDS)
    found = site.served("plain.example", trust)
    assert found is not None, "rejected after a restart without the CA"
    assert found["serialNumber"] == first["serialNumber"], "a restart has ordered again"


def _refuse(place):
    """a refused name does not delay another one, and is not ordered again at once, not even by a restart"""
    site = _Site(place, _HTTP, [pebble.BLOCKED, "plain.example"])
    site.authority.start()
    site.start()
    site.await_issued("plain.example")
    assert site.served(pebble.BLOCKED) is None, "the refused name has a certificate"
    await_true(lambda: "cannot get a certificate" in site.process.said(), "a warning", _ISSUE_SECONDS, site.process)
    orders = _orders(site)
    site.restart()
    time.sleep(_QUIET_SECONDS)
    assert _orders(site) == orders, "ordered again by the restart"


def _orders(site):
    """Returns the number of orders in the log, which all starts share."""
    return site.process.said().count("ordering a certificate")
