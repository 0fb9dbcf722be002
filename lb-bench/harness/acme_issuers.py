"""Scenarios of lb-bench/acme with two CAs, of which the first one is preferred."""

import time

from harness.acme_site import ISSUE_SECONDS, Site

_NAME = "plain.example"
_EAB_KEY = "zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W"
# It is renewed after 382 to 558 s, as Pebble suggests. By then, the delay of 300 to 360 s after the failure at the first
# CA has passed.
_LIFETIME_SECONDS = 620
_RENEWAL_SECONDS = 600
_QUIET_SECONDS = 5


def _fall_back(place):
    """two CAs: the first is down, and the second issues at once; the renewal is at the first again, and no client is rejected"""
    site = Site(place, "http-01", [_NAME], second={"lifetime_seconds": _LIFETIME_SECONDS})
    site.second.start()
    site.start()
    begin = time.monotonic()
    site.await_issued(_NAME, authority=site.second)
    issued = time.monotonic() - begin
    assert " second " in site.listed(_NAME), site.listed(_NAME)
    assert site.metric(f'ballast_acme_issuer{{name="{_NAME}",issuer="second"}}') == 1, "the metric"
    assert "second is tried next" in site.events(), "no event"
    site.authority.start()
    first, second = site.authority.trust(), site.second.trust()
    while site.served(_NAME, first) is None:
        seconds = time.monotonic() - begin
        assert site.served(_NAME, second) or site.served(_NAME, first), f"rejected after {seconds:.0f} s"
        assert seconds < _RENEWAL_SECONDS, f"not renewed within {seconds:.0f} s"
        time.sleep(0.2)
    seconds = time.monotonic() - begin
    assert " first " in site.listed(_NAME), site.listed(_NAME)
    assert site.orders() == 3, f"{site.orders()} orders"
    return f"issued after {issued:.1f} s, renewed after {seconds:.0f} s of {_LIFETIME_SECONDS}"


def _refuse_account(place):
    """two CAs: the first refuses the account, and the second issues at once; a restart orders nothing"""
    site = Site(place, "http-01", [_NAME], external_accounts={"kid-1": _EAB_KEY}, second={})
    site.begin()
    found = site.await_issued(_NAME, authority=site.second)
    assert site.orders() == 2, f"{site.orders()} orders"
    site.restart()
    time.sleep(_QUIET_SECONDS)
    kept = site.served(_NAME, site.second.trust())
    assert kept is not None and kept["serialNumber"] == found["serialNumber"], "another certificate after the restart"
    assert " second " in site.listed(_NAME), site.listed(_NAME)
    assert site.orders() == 2, f"{site.orders()} orders after the restart"


def _choose(place):
    """two CAs: a listener that names the second one; a reload that names the first one replaces the certificate"""
    site = Site(place, "http-01", [_NAME], tls=["acme_issuers: [second]"], second={})
    site.begin()
    site.await_issued(_NAME, authority=site.second)
    assert site.orders() == 1, f"{site.orders()} orders"
    site.reset_tls(["acme_issuers: [first]"])
    site.reload([_NAME])
    site.await_issued(_NAME, ISSUE_SECONDS)
    assert " first " in site.listed(_NAME), site.listed(_NAME)
    assert site.orders() == 2, f"{site.orders()} orders after the reload"


SCENARIOS = (_fall_back, _refuse_account, _choose)
