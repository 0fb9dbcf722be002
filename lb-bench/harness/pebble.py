"""Pebble, the ACME server for tests of Let's Encrypt, built from its sources."""

import json
import os
import ssl

from harness import cache, certificate, loopback, ports
from harness.workplace import await_true

PACKAGE, VERSION = "github.com/letsencrypt/pebble/v2/cmd/pebble", "v2.9.0"
# The name that this CA refuses. Pebble fails for names with fewer labels than a refused name.
BLOCKED = "blocked.example"
# The share of valid nonces that it rejects, in percent; a client must repeat the request.
REJECTED_NONCES = 20
_START_SECONDS = 60


class Pebble:
    """A running CA. It resolves names at `dns_port`, and connects to `http_port` and `tls_port` to verify them."""

    def __init__(
        self,
        place,
        http_port,
        tls_port,
        dns_port,
        lifetime_seconds,
        rejected_nonces=REJECTED_NONCES,
        external_accounts=None,
        name="pebble",
    ):
        """`external_accounts`, if given, is required: HMAC keys in base64url by their identifiers.

        `name` differs between the CAs of a place.
        """
        self.port, self._management = ports.free(), ports.free()
        self.authority = certificate.make(place).authority
        self._place, self._name = place, name
        self._dns = f"{ports.LOOPBACK}:{dns_port}"
        self._program = cache.go_tool(PACKAGE, VERSION)
        self._number = 0
        own = certificate.make(place)
        self._config = {
            "listenAddress": f"{ports.LOOPBACK}:{self.port}",
            "managementListenAddress": f"{ports.LOOPBACK}:{self._management}",
            "certificate": str(own.certificate),
            "privateKey": str(own.key),
            "httpPort": http_port,
            "tlsPort": tls_port,
            "domainBlocklist": [BLOCKED],
            "retryAfter": {"authz": 1, "order": 1},
            "keyAlgorithm": "ecdsa",
            "profiles": {"default": {"description": "the only one", "validityPeriod": lifetime_seconds}},
        }
        if external_accounts:
            self._config["externalAccountBindingRequired"] = True
            self._config["externalAccountMACKeys"] = external_accounts
        self._rejected_nonces = rejected_nonces
        self._started = None

    def start(self):
        """Starts with an empty database: accounts and orders of an earlier start are unknown, and the root is new."""
        self._number += 1
        file = self._place.write(f"{self._name}.json", json.dumps({"pebble": self._config}))
        self._started = self._place.start(
            f"{self._name}-{self._number}",
            [self._program, "-config", file, "-dnsserver", self._dns],
            {
                **os.environ,
                "PEBBLE_VA_NOSLEEP": "1",
                "PEBBLE_WFE_NONCEREJECT": str(self._rejected_nonces),
                "PEBBLE_AUTHZREUSE": "0",
            },
        )
        await_true(lambda: loopback.is_ok(self._root_url()), "pebble to start", _START_SECONDS, self._started)

    def stop(self):
        self._started.stop()

    def output(self):
        """Returns the output since the last start."""
        return self._started.output()

    def trust(self):
        """Returns a TLS context that accepts only certificates issued since the last start."""
        context = ssl.create_default_context(cadata=loopback.get(self._root_url()).decode())
        # Pebble's certificates lack the basic constraints that the strict mode requires.
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
        return context

    def status(self, serial):
        """Returns (status, revocation reason) of a serial number in hexadecimal."""
        url = f"https://{ports.LOOPBACK}:{self._management}/cert-status-by-serial/{serial}"
        found = loopback.get_json(url) or {}
        return found.get("Status"), found.get("Reason")

    def suggest_renewal(self, pem, start, end):
        """Sets the window in which a certificate should be renewed; the times are texts of RFC 3339."""
        window = json.dumps({"suggestedWindow": {"start": start, "end": end}})
        loopback.post_json(
            f"https://{ports.LOOPBACK}:{self._management}/set-renewal-info/", {"certificate": pem, "ARIResponse": window}
        )

    def _root_url(self):
        return f"https://{ports.LOOPBACK}:{self._management}/roots/0"
