"""The program behind lb-bench/oidc: the policy oidc with a real OpenID provider, the certified npm package oidc-provider."""

import argparse
import secrets
import shutil
import urllib.parse
from pathlib import Path

from harness import ballast, cache, loopback, ports, subjects
from harness.browser import Browser
from harness.echo import EchoServer, faults
from harness.template import fill_peer
from harness.workplace import BENCH, await_true

_PACKAGE = "oidc-provider@9.13.3"
_SESSION = "ballast_session"
_ACCESS_TOKEN_SECONDS = 5


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="oidc", description="Logs users in at a real OpenID provider.")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return subjects.run(parser.parse_args(arguments), "oidc", _test)


def _test(place, _):
    app = EchoServer()
    port, dashboard_port, provider_port = ports.free(), ports.free(), ports.free()
    secret = secrets.token_urlsafe(24) + "+%/"
    values = {"provider_port": provider_port, "app_port": app.port, "port": port, "secret": secret, "dashboard_port": dashboard_port, "data": place.subdirectory("data")}
    running = ballast.Ballast(place, fill_peer("oidc/ballast.yaml", values), port, dashboard_port)
    checks = subjects.Checks()
    site = f"http://{ports.LOOPBACK}:{port}"
    page = Browser().open(f"{site}/a")
    _record(checks, "provider has not started", page, 503)
    provider = _start_provider(place, provider_port, port, secret)
    await_true(lambda: Browser().open(f"{site}/a").status == 302, "Ballast to know the provider", 90, provider)
    _record(checks, "request of a script without session", Browser().send("GET", f"{site}/a", {"Accept": "*/*"}), 401)
    browser = _check_login(checks, site)
    _check_refresh(checks, browser, site, provider)
    _check_logout(checks, browser, site)
    _check_claims(checks, site)
    _check_replay(checks, site)
    provider.stop()
    running.started.require_running()
    _check_leaks(checks, running, secret, browser)
    report = subjects.write(
        "Logins at an OpenID provider",
        "A scripted browser logs in through Ballast, uses an application that echoes the headers it receives, and logs out.",
        [("provider", _PACKAGE)],
        ["case", "status"],
        checks,
    )
    return report, not checks.failures


def _start_provider(place, port, ballast_port, secret):
    home = cache.npm("oidc", _PACKAGE)
    script = shutil.copy(BENCH / "peers" / "oidc" / "provider.mjs", home)
    started = place.start("provider", ["node", script, str(port), str(ballast_port), secret])
    await_true(lambda: loopback.is_ok(f"http://{ports.LOOPBACK}:{port}/.well-known/openid-configuration"), "the provider to answer", 30, started)
    return started


def log_in(browser, url, user):
    """Opens a page, logs in and consents at the provider; returns the page after the last redirect."""
    page = browser.follow(browser.open(url))
    page = browser.follow(browser.submit(page, login=user, password="any"))
    return browser.follow(browser.submit(page)) if "<form" in page.body else page


def _check_login(checks, site):
    browser = Browser()
    page = log_in(browser, f"{site}/shop/cart?item=1", "ann")
    _record(checks, "login, then the page of before", page, 200, user="ann@id.example")
    if page.url != f"{site}/shop/cart?item=1":
        checks.failed(f"the login ended at {page.url}", "login, then the page of before", "address")
    forged = browser.open(f"{site}/a", {"X-User": "mallory", "X_User": "mallory"})
    _record(checks, "session with forged headers", forged, 200, user="ann@id.example", absent="mallory")
    _record(checks, "script with a session", browser.send("GET", f"{site}/a", {"Accept": "*/*"}), 200, user="ann@id.example")
    return browser


def _check_refresh(checks, browser, site, provider):
    refreshed = lambda: provider.output().count("grant refresh_token")
    before = dict(browser.cookies)
    cases = [(f"request {number} after the access token has expired", number) for number in (1, 2)]
    for case, number in cases:
        await_true(lambda: _expired(browser, site, refreshed, number), "a refresh", 4 * _ACCESS_TOKEN_SECONDS, provider)
        _record(checks, case, browser.open(f"{site}/a"), 200, user="ann@id.example")
    if dict(browser.cookies) == before:
        checks.failed("the session has the same cookie", "refresh", "cookie")
    if "refused" in provider.output():
        checks.failed("the provider has refused a request", "refresh", "provider")


def _expired(browser, site, refreshed, number):
    browser.open(f"{site}/a")
    return refreshed() >= number


def _check_logout(checks, browser, site):
    before = dict(browser.cookies)
    question = browser.open(f"{site}/oauth2/logout")
    _record(checks, "page of the logout", question, 200)
    browser_of_other = browser.send("POST", f"{site}/oauth2/logout", {"Origin": "http://other.example"}, "")
    _record(checks, "logout by another site", browser_of_other, 403)
    page = browser.submit(question)
    _record(checks, "logout", page, 303)
    hint = urllib.parse.parse_qs(urllib.parse.urlsplit(page.header("Location") or "").query).get("id_token_hint")
    if not hint:
        checks.failed("no id_token_hint", "logout", "parameter")
    at_provider = browser.follow(page)
    back = browser.follow(browser.submit(at_provider, logout="yes"))
    _record(checks, "return from the logout at the provider", back, 200)
    if back.body != "public":
        checks.failed(f"the logout ended at {back.url}", "return from the logout at the provider", "address")
    _record(checks, "session after the logout", browser.send("GET", f"{site}/a", {"Accept": "*/*"}), 401)
    thief = Browser()
    thief.cookies = before
    _record(checks, "copy of the session's cookie after the logout", thief.send("GET", f"{site}/a", {"Accept": "*/*"}), 401)
    again = browser.follow(browser.open(f"{site}/a"))
    if "<form" not in again.body:
        checks.failed("the provider still has a session", "login after the logout", again.status)


def _check_claims(checks, site):
    _record(checks, "user without the required group", log_in(Browser(), f"{site}/a", "guest"), 403)


def _check_replay(checks, site):
    browser = Browser()
    log_in(browser, f"{site}/a", "bob")
    callback = next(url for url in browser.visited if "/oauth2/callback?" in url)
    _record(checks, "callback in another browser", Browser().open(callback), 400)
    changed = Browser()
    changed.open(f"{site}/a")
    _record(checks, "callback in a browser with another login", changed.open(callback), 400)
    tampered = Browser()
    tampered.cookies = {key: value[:-5] + "AAAAA" if key[2] == _SESSION else value for key, value in browser.cookies.items()}
    _record(checks, "changed cookie", tampered.send("GET", f"{site}/a", {"Accept": "*/*"}), 401)


def _check_leaks(checks, running, secret, browser):
    said = running.started.output()
    codes = [urllib.parse.parse_qs(urllib.parse.urlsplit(url).query).get("code", [""])[0] for url in browser.visited]
    for what, text in [("secret", secret), *(("code", code) for code in codes if code)]:
        if text in said:
            checks.failed(f"the log contains a {what}", "log", what)


def _record(checks, case, page, status, user="", absent=""):
    received = [("X-User", user)] if user else []
    checks.record(faults(page, status, received, absent), case, page.status)
