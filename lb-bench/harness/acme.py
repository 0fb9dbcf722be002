"""The program behind lb-bench/acme: certificates ordered at a real ACME server, by each challenge."""

import argparse
import time
from pathlib import Path

from harness import acme_issuers, acme_on_demand, conditions, pebble, ports, subjects
from harness.acme_site import ISSUE_SECONDS, Site, start_foreign_zone, start_resolver
from harness.workplace import Failure, Workplace, run_program, say

# Short, so that the renewal at two thirds of the lifetime is due after 40 s.
_SHORT_LIFETIME_SECONDS = 60
_RENEWAL_SECONDS = 75
_QUIET_SECONDS = 5
# Ballast repeats a failed order after 5 to 6 minutes.
_RETRY_SECONDS = 400
_MANY_REJECTED_NONCES = 40
_HTTP, _TLS, _DNS = "http-01", "tls-alpn-01", "dns-01"
_PAST = ("2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z")
_EAB_KEY = "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W"
_OTHER_KEY = "b10lLJs8l1GPIzsLP0s6pMt8O0XVGnfTaCeROxQM0BIt2XrJMDHJZBM5NuQmQJQH"


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="acme", description="Orders certificates at Pebble: issue, renewal, revocation, restart, failures, two CAs, on demand."
    )
    parser.add_argument("--out", type=Path, help="write the report to this file")
    parser.add_argument("--only", default="", help="run only the scenarios whose description contains this text")
    options = parser.parse_args(arguments)
    return run_program("acme", lambda: _run(options.only), options.out)


def _run(only):
    checks = subjects.Checks()
    for scenario in (*_SCENARIOS, *acme_issuers.SCENARIOS, *acme_on_demand.SCENARIOS):
        if only not in scenario.__doc__:
            continue
        say(scenario.__doc__)
        begin = time.monotonic()
        with Workplace() as place:
            try:
                said = scenario(place)
                checks.passed(scenario.__doc__, said or "", f"{time.monotonic() - begin:.0f} s")
            except (Failure, AssertionError, OSError) as reason:
                checks.failed(str(reason), scenario.__doc__, "", f"{time.monotonic() - begin:.0f} s")
    text = subjects.write(
        "ACME",
        "Certificates ordered at Pebble, the ACME server for tests of Let's Encrypt. It looks names up in Ballast's own zones"
        f" and rejects {pebble.REJECTED_NONCES} % of all nonces, unless a row says otherwise.",
        [
            ("Pebble", pebble.VERSION),
            ("NSD", conditions.tool_version(["nsd", "-v"])),
            ("Unbound", conditions.tool_version(["unbound", "-V"])),
        ],
        ["scenario", "measured", "duration"],
        checks,
    )
    return text, not checks.failures


def _issue(site, asked):
    site.begin()
    for name in asked:
        found = site.await_issued(name)
        covered = {value for kind, value in found["subjectAltName"] if kind == "DNS"}
        assert len(covered) == 1 and covered <= set(site.names), f"the certificate of {name} is for {covered}"


def _issue_by_file(place):
    """http-01: two names, on a listener that redirects every other request"""
    _issue(Site(place, _HTTP, ["plain.example", "www.plain.example"]), ["plain.example", "www.plain.example"])


def _issue_by_handshake(place):
    """tls-alpn-01: two names"""
    _issue(Site(place, _TLS, ["plain.example", "www.plain.example"]), ["plain.example", "www.plain.example"])


def _issue_by_record(place):
    """dns-01: wildcards and their parents, in an unsigned and in a signed zone"""
    names = ["plain.example", "*.plain.example", "signed.example", "*.signed.example"]
    _issue(Site(place, _DNS, names), ["plain.example", "any.plain.example", "signed.example", "any.signed.example"])


def _issue_by_alias(place):
    """dns-01 with challenge_zone: a name and its wildcard in a zone on NSD, by a CNAME record, through Unbound"""
    foreign = "foreign.example"
    target = f"{foreign}.challenges.plain.example"
    resolver = ports.free(ports.DNS)
    names = [foreign, f"*.{foreign}", "plain.example"]
    site = Site(place, _DNS, names, ["challenge_zone: challenges.plain.example"], resolver=resolver)
    nsd = start_foreign_zone(place, foreign, {"_acme-challenge": target})
    start_resolver(place, {foreign: nsd, "plain.example": site.dns_port}, resolver)
    _issue(site, [foreign, f"any.{foreign}", "plain.example"])


def _bind_account(place):
    """EAB: the account is bound; a restart needs no binding again"""
    site = Site(
        place, _HTTP, ["plain.example"], [f"eab: {{kid: kid-1, hmac: {_EAB_KEY}}}"], external_accounts={"kid-1": _EAB_KEY}
    )
    _issue(site, ["plain.example"])
    site.process.stop()
    site.reset_names(["plain.example", "www.plain.example"])
    site.start()
    site.await_issued("www.plain.example")
    created = site.process.output().count("created an ACME account")
    assert created == 1, f"{created} accounts were created"


def _refuse_binding(place):
    """EAB: with a wrong or missing key, orders fail with the reason given by the CA"""
    for acme in ([f"eab: {{kid: kid-1, hmac: {_OTHER_KEY}}}"], []):
        with Workplace() as own:
            site = Site(own, _HTTP, ["plain.example"], acme, external_accounts={"kid-1": _EAB_KEY})
            site.begin()
            site.await_said("cannot get a certificate")
            said = site.process.output()
            assert "xternalAccountBinding" in said or "external account" in said.lower(), said[-500:]
            assert site.served("plain.example") is None, "a certificate without the binding"


def _renew(place):
    """renewal at two thirds of the lifetime; no client is rejected meanwhile"""
    site = Site(place, _HTTP, ["plain.example"], lifetime_seconds=_SHORT_LIFETIME_SECONDS)
    site.begin()
    first = site.await_issued("plain.example")
    begin = time.monotonic()
    _await_other_certificate(site, "plain.example", first, _RENEWAL_SECONDS)
    return f"after {time.monotonic() - begin:.0f} s of {_SHORT_LIFETIME_SECONDS}"


def _await_other_certificate(site, name, former, seconds):
    """Connects until another certificate is served; every connection must succeed."""
    trust, begin = site.authority.trust(), time.monotonic()
    while True:
        found = site.served(name, trust)
        assert found is not None, f"rejected after {time.monotonic() - begin:.0f} s"
        if found["serialNumber"] != former["serialNumber"]:
            return found
        assert time.monotonic() - begin < seconds, f"no other certificate within {seconds} s"
        time.sleep(0.2)


def _follow_suggestion(place):
    """ARI: a window in the past, for a certificate of 90 days; it is renewed at once, and only once"""
    site = Site(place, _HTTP, ["plain.example"])
    site.begin()
    first = site.await_issued("plain.example")
    site.authority.suggest_renewal(site.pem("plain.example"), *_PAST)
    site.restart()  # a start asks at once; otherwise Ballast asks again after the time that the CA says
    _await_other_certificate(site, "plain.example", first, ISSUE_SECONDS)
    time.sleep(_QUIET_SECONDS)
    assert site.orders() == 2, f"{site.orders()} orders"


def _revoke(place):
    """revocation by `lb acme revoke`: the CA records it, and clients get a new certificate; no client is rejected"""
    site = Site(place, _HTTP, ["plain.example"])
    site.begin()
    first = site.await_issued("plain.example")
    said = site.command(
        "acme", "revoke", "plain.example", "--reason", "key-compromise", "--api", site.dashboard
    )
    assert "a new certificate is ordered" in said, said
    second = _await_other_certificate(site, "plain.example", first, ISSUE_SECONDS)
    assert site.authority.status(first["serialNumber"]) == ("Revoked", 1), site.authority.status(first["serialNumber"])
    assert site.authority.status(second["serialNumber"])[0] == "Valid", "the new certificate is revoked"
    assert "revoked (key-compromise)" in site.events(), "no event"
    said = site.command("acme", "revoke", "www.plain.example", "--api", site.dashboard, code=2)
    assert "no certificate" in said, said


def _revoke_removed(place):
    """revocation of a name that a reload has removed: its files are deleted, and nothing is ordered"""
    site = Site(place, _HTTP, ["plain.example", "www.plain.example"])
    site.begin()
    first = site.await_issued("www.plain.example")
    site.await_issued("plain.example")
    site.reload(["plain.example"])
    said = site.command("acme", "revoke", "www.plain.example", "--reason", "cessation-of-operation", "--api", site.dashboard)
    assert "its files are deleted" in said, said
    assert site.authority.status(first["serialNumber"]) == ("Revoked", 5), site.authority.status(first["serialNumber"])
    left = [file.name for file in (place.directory / "data").rglob("www.plain.example*")]
    assert not left, f"files are left: {left}"
    assert site.orders() == 2, f"{site.orders()} orders"


def _revoke_unreachable(place):
    """revocation while the CA is unreachable: an error, and the certificate stays in use"""
    site = Site(place, _HTTP, ["plain.example"])
    site.begin()
    trust = site.authority.trust()
    site.await_issued("plain.example")
    site.authority.stop()
    said = site.command("acme", "revoke", "plain.example", "--api", site.dashboard, code=1)
    assert "cannot reach" in said, said
    assert site.served("plain.example", trust) is not None, "rejected after the failed revocation"
    assert site.orders() == 1, f"{site.orders()} orders"


def _keep(place):
    """restart: no new order; CA that lost its accounts and is unreachable: the last certificate stays in use"""
    site = Site(place, _HTTP, ["plain.example"])
    site.begin()
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
    site = Site(place, _HTTP, [pebble.BLOCKED, "plain.example"])
    site.begin()
    site.await_issued("plain.example")
    assert site.served(pebble.BLOCKED) is None, "the refused name has a certificate"
    site.await_said("cannot get a certificate")
    orders = site.orders()
    site.restart()
    time.sleep(_QUIET_SECONDS)
    assert site.orders() == orders, "ordered again by the restart"


def _fail_validation(place):
    """a failed validation is reported with the reason of the CA"""
    site = Site(place, _DNS, ["plain.example"], resolver=ports.free(ports.DNS))
    site.begin()
    site.await_said("cannot get a certificate")
    line = next(each for each in site.process.output().splitlines() if "cannot get a certificate" in each)
    assert "the CA refused plain.example" in line, line


def _reject_nonces(place):
    """40 % of all nonces rejected: two names are issued, with one order each"""
    site = Site(place, _HTTP, ["plain.example", "www.plain.example"], rejected_nonces=_MANY_REJECTED_NONCES)
    _issue(site, ["plain.example", "www.plain.example"])
    assert site.orders() == 2, f"{site.orders()} orders"


def _await_authority(place):
    """CA unreachable at the first order: the order is repeated after 5 to 6 minutes and succeeds"""
    site = Site(place, _HTTP, ["plain.example"])
    site.start()
    site.await_said("cannot get a certificate")
    begin = time.monotonic()
    assert "cannot reach https://127.0.0.1" in site.process.output(), "the reason is missing"
    site.authority.start()
    site.await_issued("plain.example", _RETRY_SECONDS)
    seconds = time.monotonic() - begin
    assert seconds > 290, f"repeated after {seconds:.0f} s"
    assert site.orders() == 2, f"{site.orders()} orders"
    return f"after {seconds:.0f} s"


_SCENARIOS = (
    _issue_by_file,
    _issue_by_handshake,
    _issue_by_record,
    _issue_by_alias,
    _bind_account,
    _refuse_binding,
    _renew,
    _follow_suggestion,
    _revoke,
    _revoke_removed,
    _revoke_unreachable,
    _keep,
    _refuse,
    _fail_validation,
    _reject_nonces,
    _await_authority,
)
