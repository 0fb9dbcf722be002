"""The scenarios of lb-bench/policies: the same policy in the configuration of each peer, and the bars; also static files."""

import base64
from dataclasses import dataclass, replace

from harness import tokens
from harness.backends import BODIES
from harness.bars import Bar
from harness.scenarios import Scenario
from harness.workplace import BENCH

_USER, _PASSWORD = "ann", "bench"
# The bcrypt hash of the password with cost 10, as `htpasswd -nbBC 10` makes it.
_BCRYPT = "$2b$10$Bmh/wAVc1yaNL6dG2hEp1.rXfTl2CvtSoAMyk0YIrxRsfjoMnjJ3O"
_BASIC = base64.b64encode(f"{_USER}:{_PASSWORD}".encode()).decode()
_NETWORKS = [f"10.{number}.0.0/16" for number in range(9)] + ["127.0.0.0/8"]
_CONNECTIONS = (128,)


@dataclass(frozen=True)
class PolicyScenario(Scenario):
    """A policy for all requests. The texts are inserted into the files of a directory of lb-bench/peers."""

    # The policy in YAML.
    ballast: str = ""
    # Lines of the frontend, and sections before it.
    haproxy: str = ""
    haproxy_sections: str = ""
    # Lines of the location, and lines before the server.
    nginx: str = ""
    nginx_sections: str = ""
    # The directory of the peers' files, and that of the completed ones.
    peer_files: str = "policies"
    files: str = ""

    def template(self, file):
        return f"{self.files}/{file}"

    def prepare(self, place):
        """Returns the scenario with its files in a workplace, and with the headers of its requests."""
        directory = place.subdirectory("policy-files")
        made = self._made(directory)
        for file, policy, sections in (
            ("ballast.yaml", self.ballast, ""),
            ("haproxy.cfg", self.haproxy, self.haproxy_sections),
            ("nginx.conf", self.nginx, self.nginx_sections),
        ):
            template = BENCH / "peers" / self.peer_files / file
            if not template.exists():
                continue
            text = template.read_text()
            text = text.replace("{{policy}}", policy).replace("{{sections}}", sections)
            for name, value in made.items():
                text = text.replace(f"{{{{{name}}}}}", value)
            (directory / file).write_text(text)
        headers = tuple(header.replace("{{token}}", made["token"]) for header in self.request_headers)
        return replace(self, files=str(directory), request_headers=headers)

    def _made(self, directory):
        """Returns the values for the names in the texts."""
        users = {"bcrypt_users": _BCRYPT, "plain_users": f"{{PLAIN}}{_PASSWORD}"}
        made = {"token": "", "root": str(directory)}
        for name, secret in users.items():
            (directory / name).write_text(f"{_USER}:{secret}\n")
            made[name] = str(directory / name)
        if self.peer_files == "files":
            for name, size in BODIES.items():
                with open(directory / name, "wb") as body:
                    body.truncate(size)
        if self.name == "jwt":
            made |= tokens.make(directory, issuer="https://id.example", audience="api")
        return made


def _bars(rate_peers, most=1.0):
    return tuple(Bar(peer, "cpu", most, most * 0.8) for peer in rate_peers)


_RATE = 1_000_000

# nginx stores responses in files, which it keeps open, and sends them with sendfile. tcp_nopush is off: on the loopback
# interface it delays the end of a response until the client's delayed acknowledgement.
_NGINX_CACHE = """    proxy_cache_path {{directory}}/cache keys_zone=objects:10m use_temp_path=off;
    sendfile on;
    open_file_cache max=100 inactive=1h;
    open_file_cache_valid 1h;"""
_HAPROXY_CACHE = """cache objects
    total-max-size 64
    max-object-size 1000000
    max-age 86400
"""


def _cache(name, about):
    return PolicyScenario(
        name=f"cache-{name}",
        about=f"{about}, which each balancer has in its cache: Ballast and HAProxy in memory, nginx in a file of the page cache",
        path=f"/cacheable/{name}",
        connections=_CONNECTIONS,
        reaches_backends=False,
        ballast="{cache: {memory: 64MiB}}",
        haproxy="    http-request cache-use objects\n    http-response cache-store objects",
        haproxy_sections=_HAPROXY_CACHE,
        nginx="            proxy_cache objects;\n            proxy_cache_valid 200 1h;",
        nginx_sections=_NGINX_CACHE,
        bars=_bars(["nginx"]),
    )


def _files(name, about):
    return PolicyScenario(
        name=f"files-{name}",
        about=f"{about} from a file in the page cache, by a route with `files` and by nginx with sendfile. Both look up the file for each"
        " request, so nginx's open_file_cache is off, as by default",
        path=f"/{name}",
        backends=0,
        connections=_CONNECTIONS,
        reaches_backends=False,
        able_peers=("nginx",),
        peer_files="files",
        bars=_bars(["nginx"], most=1.2),
    )

SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        PolicyScenario(
            name="rate-limit",
            about=f"A limit of {_RATE:,} requests/s by client address, which no request exceeds",
            connections=_CONNECTIONS,
            ballast=f"{{rate_limit: {{rate: {_RATE}/s, burst: {_RATE}, key: client}}}}",
            haproxy=f"    http-request track-sc0 src table limits\n"
            f"    http-request deny deny_status 429 if {{ sc_http_req_rate(0) gt {_RATE} }}",
            haproxy_sections="backend limits\n    stick-table type ip size 100k expire 10s store http_req_rate(1s)\n",
            nginx="            limit_req zone=clients burst=100000 nodelay;\n            limit_req_status 429;",
            nginx_sections=f"    limit_req_zone $binary_remote_addr zone=clients:10m rate={_RATE}r/s;",
            bars=_bars(["nginx"]),
        ),
        PolicyScenario(
            name="ip",
            about="A list of ten networks, of which the last contains the client",
            connections=_CONNECTIONS,
            ballast=f"{{ip: {{allow: [{', '.join(_NETWORKS)}], deny: all}}}}",
            haproxy=f"    http-request deny unless {{ src {' '.join(_NETWORKS)} }}",
            nginx="\n".join([f"            allow {network};" for network in _NETWORKS] + ["            deny all;"]),
            bars=_bars(["nginx"]),
        ),
        PolicyScenario(
            name="basic",
            about="Basic authentication. nginx and HAProxy compare the password with plain text, their cheapest way;"
            " Ballast has a bcrypt hash and a cache of verified passwords",
            connections=_CONNECTIONS,
            request_headers=(f"Authorization: Basic {_BASIC}",),
            status_without_headers=401,
            ballast="{basic: {users_file: '{{bcrypt_users}}', realm: bench}}",
            haproxy="    http-request auth realm bench unless { http_auth(users) }",
            haproxy_sections=f"userlist users\n    user {_USER} insecure-password {_PASSWORD}\n",
            nginx="            auth_basic bench;\n            auth_basic_user_file {{plain_users}};",
            bars=_bars(["nginx"]),
        ),
        PolicyScenario(
            name="jwt",
            about="A JSON Web Token signed with RS256. HAProxy verifies the signature of each request, but neither the"
            " issuer nor the expiry; Ballast verifies everything and knows verified tokens. nginx has no such policy",
            connections=_CONNECTIONS,
            request_headers=("Authorization: Bearer {{token}}",),
            status_without_headers=401,
            able_peers=("haproxy",),
            ballast="{jwt: {issuer: https://id.example, audience: api, jwks_file: '{{jwks}}'}}",
            haproxy="    http-request set-var(txn.token) http_auth_bearer\n"
            '    http-request deny deny_status 401 unless { var(txn.token),jwt_verify("RS256","{{public_key}}") 1 }',
            bars=_bars(["haproxy"]),
        ),
        PolicyScenario(
            name="gzip",
            about="A JSON document of 18 KiB, compressed with gzip at level 5",
            path="/page",
            connections=_CONNECTIONS,
            request_headers=("Accept-Encoding: gzip",),
            response_header=("Content-Encoding", "gzip"),
            ballast="{compress: {types: [application/json], encodings: [gzip], level: 5}}",
            haproxy="    compression algo gzip\n    compression type application/json",
            haproxy_sections="",
            nginx="            gzip on;\n            gzip_comp_level 5;\n            gzip_types application/json;\n"
            "            gzip_proxied any;",
            bars=_bars(["nginx"], most=1.1),
        ),
        _cache("1k", "Responses of 1 KiB"),
        _cache("10k", "Responses of 10 KiB"),
        _cache("100k", "Responses of 100 KiB"),
        _files("1k", "Responses of 1 KiB"),
        _files("100k", "Responses of 100 KiB"),
    )
}
DEFAULT = tuple(SCENARIOS)
