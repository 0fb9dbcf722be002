"""A Ballast whose listener gets its certificates by ACME, with its CAs, DNS servers and clients."""

import json
import socket
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from harness import ballast, loopback, pebble, ports
from harness.template import fill_peer
from harness.workplace import Failure, await_true

LONG_LIFETIME_SECONDS = 90 * 24 * 3600
ISSUE_SECONDS = 60
_COMMAND_SECONDS = 90
_ZONE = """$ORIGIN {name}.
$TTL 60
@ IN SOA ns.{name}. hostmaster.{name}. 1 3600 600 604800 60
@ IN NS ns.{name}.
@ IN A 127.0.0.1
* IN A 127.0.0.1
"""


class Site:
    """A Ballast whose listener has names, and the CA that issues their certificates.

    `acme` and `tls` are further lines of these keys; `resolver` is the port where the CA looks names up. `second`, if
    given, has the arguments of a second CA, which is used if the first one fails.
    """

    def __init__(self, place, challenge, names, acme=(), tls=(), resolver=None, second=None, **authority):
        self.names = names
        self.place = place
        self._challenge = challenge
        self._acme, self._tls = acme, tls
        for zone in ("plain.example", "signed.example"):
            place.write(f"{zone}.zone", _ZONE.format(name=zone))
        self.port, self.http_port, self._dashboard_port = ports.free(), ports.free(), ports.free()
        self.dns_port = ports.free(ports.DNS)
        authority.setdefault("lifetime_seconds", LONG_LIFETIME_SECONDS)
        places = (place, self.http_port, self.port, self.dns_port if resolver is None else resolver)
        self.authority = pebble.Pebble(*places, **authority)
        self.second = None
        if second is not None:
            second.setdefault("lifetime_seconds", LONG_LIFETIME_SECONDS)
            self.second = pebble.Pebble(*places, name="second", **second)
        self.process = None

    def config(self, names=None):
        shown = self.names if names is None else names
        return fill_peer(
            "acme/ballast.yaml",
            {
                "port": self.port,
                "http_port": self.http_port,
                "dashboard_port": self._dashboard_port,
                "dns_port": self.dns_port,
                "challenge": self._challenge,
                "issuers": self._issuers(),
                "data_dir": self.place.subdirectory("data"),
                "directory": self.place.directory,
                "names": ", ".join(f'"{name}"' for name in shown),
                "acme": "".join(f"\n  {line}" for line in self._acme),
                "tls": "".join(f", {line}" for line in self._tls),
            },
        )

    def _issuers(self):
        def lines(authority):
            return f"directory: https://{ports.LOOPBACK}:{authority.port}/dir", f"trusted_ca: {authority.authority}"

        if self.second is None:
            return "".join(f"\n  {line}" for line in lines(self.authority))
        items = (("first", self.authority), ("second", self.second))
        return "\n  issuers:" + "".join(
            f"\n    - name: {name}" + "".join(f"\n      {line}" for line in lines(authority)) for name, authority in items
        )

    def start(self):
        self._running = ballast.Ballast(self.place, self.config(), self.port, self._dashboard_port)
        self.process = self._running.started

    def begin(self):
        """Starts the CAs, then Ballast."""
        self.authority.start()
        if self.second is not None:
            self.second.start()
        self.start()

    def restart(self):
        self.process.stop()
        self.start()

    def reset_names(self, names):
        """Sets the names of the listener for the next start."""
        self.names = names

    def reset_tls(self, tls):
        """Sets the further lines of `tls` for the next start or reload."""
        self._tls = tls

    def reload(self, names):
        """Reloads with other names of the listener."""
        self.place.write("ballast.yaml", self.config(names))
        self.command("reload", self.place.directory / "ballast.yaml", "--api", self.dashboard)

    @property
    def dashboard(self):
        return self._running.dashboard

    def command(self, *arguments, code=0):
        """Runs `lb`; returns its output."""
        done = subprocess.run(
            ballast.lb(*arguments), capture_output=True, text=True, check=False, timeout=_COMMAND_SECONDS
        )
        if done.returncode != code:
            raise Failure(f"lb {arguments[0]} exited with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def metric(self, line):
        """Returns the value of a line of /metrics; 0 without such a line."""
        found = (loopback.get(self.dashboard + "/metrics") or b"").decode()
        return next((float(each.rsplit(" ", 1)[1]) for each in found.splitlines() if each.startswith(line + " ")), 0)

    def listed(self, name):
        """Returns the line of `lb acme list` with a name."""
        said = self.command("acme", "list", "--api", self.dashboard)
        return next((line for line in said.splitlines() if line.startswith(name + " ")), said)

    def events(self):
        """Returns the events about certificates, as text."""
        return json.dumps(loopback.get_json(self.dashboard + "/api/v1/events"))

    def served(self, name, trust=None, timeout=5):
        """Returns the certificate that clients of a name accept; None if they reject it."""
        try:
            with socket.create_connection((ports.LOOPBACK, self.port), timeout=timeout) as client:
                with (trust or self.authority.trust()).wrap_socket(client, server_hostname=name) as secured:
                    return secured.getpeercert()
        except ssl.SSLError:
            return None

    def pem(self, name):
        """Returns the certificate of a name as PEM, whether or not clients accept it."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with socket.create_connection((ports.LOOPBACK, self.port), timeout=5) as client:
            with context.wrap_socket(client, server_hostname=name) as secured:
                return ssl.DER_cert_to_PEM_cert(secured.getpeercert(binary_form=True))

    def await_issued(self, name, seconds=ISSUE_SECONDS, authority=None):
        """Returns the first certificate of a name that `authority` has issued; by default, the first CA."""
        trust = (authority or self.authority).trust()
        await_true(lambda: self.served(name, trust) is not None, f"a certificate of {name}", seconds, self.process)
        return self.served(name, trust)

    def orders(self):
        """Returns the number of orders in the log, which all starts share."""
        return self.process.output().count("ordering a certificate")

    def await_said(self, text, seconds=ISSUE_SECONDS):
        await_true(lambda: text in self.process.output(), f"the log line {text}", seconds, self.process)


class Gatekeeper:
    """The server behind `on_demand.ask`: permits the names with a suffix, and records all requested names."""

    def __init__(self, suffix):
        self.asked = []
        keeper = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self):
                name = parse_qs(urlsplit(self.path).query).get("domain", [""])[0]
                keeper.asked.append(name)
                self.send_response(200 if name.endswith(suffix) else 403)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer((ports.LOOPBACK, ports.free()), Answer)
        self.url = f"http://{ports.LOOPBACK}:{self._server.server_port}/permits?key=1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()


def start_foreign_zone(place, name, aliases):
    """Starts NSD with a zone of another operator that has CNAME records; returns its port."""
    port = ports.free(ports.DNS)
    directory = place.subdirectory("nsd")
    records = "".join(f"{owner} IN CNAME {target}.\n" for owner, target in aliases.items())
    place.write(f"nsd/{name}.zone", _ZONE.format(name=name) + records)
    config = place.write("nsd.conf", fill_peer("acme/nsd.conf", {"port": port, "directory": directory, "zone": name}))
    started = place.start("nsd", ["nsd", "-d", "-c", config])
    _await_answer(port, name, started)
    return port


def start_resolver(place, servers, port):
    """Starts Unbound at a port; it finds each zone at the port of its server."""
    stubs = "".join(
        f"stub-zone:\n  name: {zone}\n  stub-addr: {ports.LOOPBACK}@{server}\n" for zone, server in servers.items()
    )
    values = {"port": port, "directory": place.subdirectory("unbound"), "stubs": stubs}
    config = place.write("unbound.conf", fill_peer("acme/unbound.conf", values))
    _await_answer(port, next(iter(servers)), place.start("unbound", ["unbound", "-d", "-c", config]))


def _await_answer(port, zone, started):
    command = ["dig", f"@{ports.LOOPBACK}", "-p", str(port), "+time=1", "+tries=1", zone, "SOA"]

    def answers():
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return "status: NOERROR" in done.stdout

    await_true(answers, f"{started.name} to answer", 20, started)
