"""The program behind lb-bench/forward-auth: the policy forward_auth with a real oauth2-proxy, which needs no identity
provider here, because its users are in a password file."""

import argparse
import base64
import hashlib
import secrets
import urllib.parse
from pathlib import Path

from harness import ballast, cache, loopback, ports, subjects
from harness.echo import EchoServer, faults, fetch
from harness.template import fill_peer
from harness.workplace import await_true

_PACKAGE, _VERSION = "github.com/oauth2-proxy/oauth2-proxy/v7", "v7.15.6"
_USER, _PASSWORD = "ann", "correct horse"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="forward-auth", description="Runs requests through forward_auth with oauth2-proxy.")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return subjects.run(parser.parse_args(arguments), "forward-auth", _test)


def _test(place, _):
    app = EchoServer()
    server_port = ports.free()
    server = _start_server(place, cache.go_tool(_PACKAGE, _VERSION), server_port)
    values = {"auth_port": server_port, "app_port": app.port, "pages_port": ports.free()}
    port, dashboard_port = ports.free(), ports.free()
    text = fill_peer("forward-auth/ballast.yaml", {**values, "port": port, "dashboard_port": dashboard_port})
    running = ballast.Ballast(place, text, port, dashboard_port)
    checks = subjects.Checks()
    _check_api(checks, port)
    _check_login(checks, port)
    _check_pages(checks, values["pages_port"])
    before = app.requests
    server.stop()
    _record(checks, "oauth2-proxy has exited", fetch(port, "/a", {"Authorization": basic(_USER, _PASSWORD)}), 503)
    if app.requests != before:
        checks.failed("a request reached the application without authentication", "oauth2-proxy has exited", "application")
    running.started.require_running()
    report = subjects.write(
        "Forward authentication with oauth2-proxy",
        "Requests through Ballast to an application that echoes the headers it receives.",
        [("oauth2-proxy", _VERSION)],
        ["case", "status"],
        checks,
    )
    return report, not checks.failures


def _start_server(place, program, port):
    password_file = place.write("htpasswd", f"{_USER}:{{SHA}}{base64.b64encode(hashlib.sha1(_PASSWORD.encode()).digest()).decode()}\n")
    command = [
        program,
        f"--http-address={ports.LOOPBACK}:{port}",
        "--provider=github",
        "--client-id=unused",
        "--client-secret=unused",
        f"--cookie-secret={secrets.token_hex(16)}",
        "--cookie-secure=false",
        "--email-domain=*",
        f"--htpasswd-file={password_file}",
        "--reverse-proxy=true",
        f"--trusted-proxy-ip={ports.LOOPBACK}",
        "--set-xauthrequest=true",
        "--upstream=static://202",
    ]
    started = place.start("oauth2-proxy", command)
    await_true(lambda: loopback.is_ok(f"http://{ports.LOOPBACK}:{port}/ping"), "oauth2-proxy to answer", 20, started)
    return started


def _check_api(checks, port):
    _record(checks, "no credentials", fetch(port, "/a"), 401)
    _record(checks, "wrong password", fetch(port, "/a", {"Authorization": basic(_USER, "wrong")}), 401)
    forged = {"X-Auth-Request-User": "mallory", "X_Auth_Request_User": "mallory", "x-auth-request-email": "mallory"}
    _record(checks, "forged headers without credentials", fetch(port, "/a", forged), 401)
    answer = fetch(port, "/a", {"Authorization": basic(_USER, _PASSWORD), **forged})
    _record(checks, "password with forged headers", answer, 200, [("X-Auth-Request-User", _USER)], absent="mallory")


def _check_login(checks, port):
    form = urllib.parse.urlencode({"username": _USER, "password": _PASSWORD})
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    login = fetch(port, "/oauth2/sign_in", headers, method="POST", body=form)
    _record(checks, "login form", login, 302)
    cookie = (login.header("Set-Cookie") or "").partition(";")[0]
    _record(checks, "session cookie", fetch(port, "/b?c=d", {"Cookie": cookie}), 200, [("X-Auth-Request-User", _USER)])
    _record(checks, "changed session cookie", fetch(port, "/b", {"Cookie": cookie[:-8] + "AAAAAAAA"}), 401)


def _check_pages(checks, port):
    page = fetch(port, "/a", {"Accept": "text/html"})
    _record(checks, "login page instead of the application", page, 403, absent="X-Forwarded")
    if "Sign in" not in page.body:
        checks.failed("the body is not oauth2-proxy's login page", "login page instead of the application", "body")
    answer = fetch(port, "/a", {"Authorization": basic(_USER, _PASSWORD)})
    _record(checks, "password instead of the login page", answer, 200, [("X-Auth-Request-User", _USER)])


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _record(checks, case, answer, status, received=(), absent=""):
    checks.record(faults(answer, status, received, absent), case, answer.status)
