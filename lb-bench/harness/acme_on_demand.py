"""Scenarios of lb-bench/acme for certificates that are ordered when a client asks for their name."""

import time
from concurrent.futures import ThreadPoolExecutor

from harness.acme_site import Gatekeeper, Site

_CONFIGURED = "plain.example"
_CLIENTS = 20
_FLOOD = 400
_WAIT_SECONDS = 20
# A handshake that waits for no certificate takes milliseconds; the limit allows for a busy machine.
_IMMEDIATE_SECONDS = 3
_SHORT_LIFETIME_SECONDS = 90
# Every 20 s, Ballast checks whether certificates in use must be renewed. One check asks the CA for its suggestion, and
# the next one orders.
_SUGGESTION_SECONDS = 90
_PAST = ("2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z")


def _site(place, keeper, orders_per_hour=30, **authority):
    """Starts a site; `authority` has arguments of the first CA, or of both with `second`."""
    acme = [f"on_demand: {{ask: '{keeper.url}', orders_per_hour: {orders_per_hour}}}"]
    site = Site(place, "http-01", [_CONFIGURED], acme, ["on_demand: true"], **authority)
    site.begin()
    site.await_issued(_CONFIGURED)
    return site


def _counted(site, result):
    return site.metric(f'ballast_acme_on_demand_total{{result="{result}"}}')


def _order(place):
    """on demand: the first handshake of a permitted name waits for its certificate; 20 clients cause one order"""
    keeper = Gatekeeper(".plain.example")
    site = _site(place, keeper)
    trust, orders = site.authority.trust(), site.orders()
    begin = time.monotonic()
    found = site.served("shop.plain.example", trust, _WAIT_SECONDS)
    seconds = time.monotonic() - begin
    assert found is not None, "the first client was rejected"
    with ThreadPoolExecutor(_CLIENTS) as clients:
        served = list(clients.map(lambda _: site.served("new.plain.example", trust, _WAIT_SECONDS), range(_CLIENTS)))
    assert None not in served, f"{served.count(None)} of {_CLIENTS} clients were rejected"
    assert site.orders() - orders == 2, f"{site.orders() - orders} orders"
    assert keeper.asked == ["shop.plain.example", "new.plain.example"], keeper.asked
    assert _counted(site, "issued") == 2, "the metric"
    said = site.command("acme", "revoke", "shop.plain.example", "--api", site.dashboard)
    assert "deleted" in said, said
    return f"first handshake {seconds:.1f} s"


def _refuse(place):
    """on demand: a refused name gets the configured certificate at once, and is asked for once"""
    keeper = Gatekeeper(".plain.example")
    site = _site(place, keeper)
    trust, orders = site.authority.trust(), site.orders()
    for _ in range(10):
        begin = time.monotonic()
        assert site.served("shop.stranger.example", trust) is None, "a certificate of a refused name"
        assert time.monotonic() - begin < _IMMEDIATE_SECONDS, "the refused client waited"
    assert keeper.asked == ["shop.stranger.example"], keeper.asked
    assert site.orders() == orders, "ordered for a refused name"
    keeper.stop()
    assert site.served("late.plain.example", trust) is None, "a certificate without permission"
    assert site.orders() == orders, "ordered without permission"
    assert _counted(site, "unanswered") == 1, "the metric"


def _limit(place):
    """on demand: orders_per_hour 2; the third name gets none, and configured names are not affected"""
    keeper = Gatekeeper(".plain.example")
    site = _site(place, keeper, orders_per_hour=2)
    trust = site.authority.trust()
    served = [site.served(f"{name}.plain.example", trust, _WAIT_SECONDS) is not None for name in "abc"]
    assert served == [True, True, False], served
    site.reload([_CONFIGURED, "www.plain.example"])
    site.await_issued("www.plain.example")


def _flood(place):
    """on demand: 400 clients with names that are not permitted; the configured name is served meanwhile"""
    keeper = Gatekeeper(".plain.example")
    site = _site(place, keeper)
    trust, orders = site.authority.trust(), site.orders()
    slowest = 0.0
    with ThreadPoolExecutor(_CLIENTS) as clients:
        strangers = [
            clients.submit(site.served, f"n{number}.stranger.example", trust, _WAIT_SECONDS) for number in range(_FLOOD)
        ]
        while not all(each.done() for each in strangers):
            begin = time.monotonic()
            assert site.served(_CONFIGURED, trust) is not None, "the configured name was rejected"
            slowest = max(slowest, time.monotonic() - begin)
    assert all(each.result() is None for each in strangers), "a stranger has a certificate"
    assert site.orders() == orders, "ordered for strangers"
    assert len(keeper.asked) <= _FLOOD, f"asked {len(keeper.asked)} times"
    return f"slowest handshake of the configured name {slowest:.2f} s"


def _keep(place):
    """on demand: a restart without the CA and without the ask URL serves the stored certificate at once"""
    keeper = Gatekeeper(".plain.example")
    site = _site(place, keeper)
    trust = site.authority.trust()
    first = site.served("shop.plain.example", trust, _WAIT_SECONDS)
    site.authority.stop()
    keeper.stop()
    site.restart()
    found = site.served("shop.plain.example", trust, _WAIT_SECONDS)
    assert found is not None, "rejected after the restart"
    assert found["serialNumber"] == first["serialNumber"], "another certificate"


def _renew(place):
    """on demand: a certificate in use is renewed before it expires; no client is rejected meanwhile"""
    keeper = Gatekeeper(".plain.example")
    site = _site(place, keeper, lifetime_seconds=_SHORT_LIFETIME_SECONDS * 2)
    trust = site.authority.trust()
    first = site.served("shop.plain.example", trust, _WAIT_SECONDS)
    assert first is not None, "the first client was rejected"
    begin = time.monotonic()
    while True:
        found = site.served("shop.plain.example", trust, _WAIT_SECONDS)
        seconds = time.monotonic() - begin
        assert found is not None, f"rejected after {seconds:.0f} s"
        if found["serialNumber"] != first["serialNumber"]:
            return f"after {seconds:.0f} s of {_SHORT_LIFETIME_SECONDS * 2}"
        assert seconds < _SHORT_LIFETIME_SECONDS * 2, "not renewed in time"
        time.sleep(0.5)


def _list(place):
    """on demand: `lb acme list` has the certificate with its CA; ARI with a window in the past renews it"""
    keeper = Gatekeeper(".plain.example")
    site = _site(place, keeper)
    trust = site.authority.trust()
    first = site.served("shop.plain.example", trust, _WAIT_SECONDS)
    assert first is not None, "the first client was rejected"
    line = site.listed("shop.plain.example")
    assert "127.0.0.1" in line and "on demand" in line, line
    assert "always" in site.listed(_CONFIGURED), site.listed(_CONFIGURED)
    assert "stranger.example" not in site.listed("shop.stranger.example"), "a name that no client has used"
    site.authority.suggest_renewal(site.pem("shop.plain.example"), *_PAST)
    site.restart()  # a start asks soon; otherwise Ballast asks again after the time that the CA says
    begin = time.monotonic()
    while True:
        found = site.served("shop.plain.example", trust, _WAIT_SECONDS)
        seconds = time.monotonic() - begin
        assert found is not None, f"rejected after {seconds:.0f} s"
        if found["serialNumber"] != first["serialNumber"]:
            return f"renewed after {seconds:.0f} s"
        assert seconds < _SUGGESTION_SECONDS, "not renewed in time"
        time.sleep(0.5)


def _fall_back(place):
    """on demand: the first CA is down; the client that waits gets a certificate of the second one"""
    keeper = Gatekeeper(".plain.example")
    site = _site(place, keeper, second={})
    site.authority.stop()
    begin = time.monotonic()
    found = site.served("shop.plain.example", site.second.trust(), _WAIT_SECONDS)
    seconds = time.monotonic() - begin
    assert found is not None, "the first client was rejected"
    line = site.listed("shop.plain.example")
    assert " second " in line and "on demand" in line, line
    return f"first handshake {seconds:.1f} s"


SCENARIOS = (_order, _refuse, _limit, _flood, _keep, _renew, _list, _fall_back)
