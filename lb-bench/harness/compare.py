"""The program behind lb-bench/compare."""

import argparse
from pathlib import Path

from harness import compare_dns, compare_dns_cache, compare_http, compare_protocols, dns_cache_scenarios, dns_scenarios
from harness import query_logs
from harness.protocol_scenarios import SCENARIOS as PROTOCOLS
from harness.scenarios import DEFAULT, SCENARIOS
from harness.workplace import run_program


_BEFORE = "another built checkout of Ballast as an additional peer"
_PROTOCOLS = {
    "https": "HTTPS with keep-alive, and new TLS 1.3 connections, against HAProxy and nginx",
    "h2": "HTTP/2 over TLS to HTTP/1.1 backends, against HAProxy and nginx",
    "tcp": "connections and bytes over TCP, against HAProxy, and nginx if it has its stream module",
    "grpc": "unary gRPC calls, HTTP/2 on both sides, against HAProxy and nginx",
}


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("compare", lambda: options.run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(prog="compare", description="Compares Ballast with other servers in interleaved rounds.")
    works = parser.add_subparsers(required=True, metavar="WORK")
    http = works.add_parser("http", help="HTTP/1.1 against HAProxy, nginx and Divisor")
    http.set_defaults(run=compare_http.run)
    http.add_argument(
        "--scenario",
        type=_http_scenarios,
        default=DEFAULT,
        metavar="NAMES",
        help=f"scenarios, such as get,hello; some of {', '.join(SCENARIOS)}; all ({','.join(DEFAULT)})",
    )
    http.add_argument("--connections", type=_numbers, help="numbers of connections, such as 128,512")
    http.add_argument("--peers", type=_names, default=["haproxy", "nginx", "divisor"], help="such as haproxy,nginx")
    http.add_argument("--before", type=Path, help=_BEFORE)
    http.add_argument("--no-fixed-rate", action="store_true", help="skip the open loop")
    _add_common(http)
    for work, about in _PROTOCOLS.items():
        _add_protocol(works.add_parser(work, help=about), work)
    dns = works.add_parser("dns", help="authoritative answers over UDP against gdnsd, Knot and OpenGSLB")
    dns.set_defaults(run=compare_dns.run)
    dns.add_argument(
        "--scenario",
        type=_dns_scenarios,
        default=dns_scenarios.DEFAULT,
        metavar="NAMES",
        help=f"scenarios, such as a4,names; some of {', '.join(dns_scenarios.SCENARIOS)}; all (all)",
    )
    dns.add_argument("--outstanding", type=_numbers, default=(100,), help="maximum number of outstanding queries, such as 100")
    dns.add_argument("--peers", type=_names, default=["gdnsd", "knot", "opengslb"], help="such as gdnsd,knot")
    dns.add_argument("--before", type=Path, help=_BEFORE)
    dns.add_argument("--jdk", type=_numbers, default=(), help="Java versions for Ballast, such as 25,17 (the newest)")
    dns.add_argument("--opengslb", type=Path, metavar="PATH", help="the binary of OpenGSLB")
    _add_common(dns)
    _add_dns_cache(works)
    return parser


def _add_dns_cache(works):
    about = "forwarding with a cache over UDP against dnsdist, Unbound, CoreDNS and Ent-DNS"
    cache = works.add_parser("dns-cache", help=about)
    cache.set_defaults(run=compare_dns_cache.run)
    known = dns_cache_scenarios.SCENARIOS
    cache.add_argument(
        "--scenario",
        type=lambda text: _some_of(known, text),
        default=dns_cache_scenarios.DEFAULT,
        metavar="NAMES",
        help=f"scenarios, such as hits,mixed; some of {', '.join(known)}; all (all)",
    )
    peers = list(compare_dns_cache.PEERS)
    cache.add_argument("--peers", type=_names, default=peers, help=f"beside Ballast ({','.join(peers)})")
    cache.add_argument("--before", type=Path, help=_BEFORE)
    cache.add_argument("--jdk", type=_numbers, default=(), help="Java versions for Ballast, such as 25,17 (the newest)")
    cache.add_argument(
        "--log",
        type=lambda text: _some_of(query_logs.LOGS, text),
        default=(),
        metavar="NAMES",
        help=f"also Ballast with these query logs; some of {', '.join(query_logs.LOGS)}; all (none, except in the scenario log)",
    )
    cache.add_argument("--coredns", type=Path, metavar="PATH", help="the binary of CoreDNS")
    cache.add_argument("--ent-dns", type=Path, metavar="PATH", help="the binary of Ent-DNS")
    _add_common(cache)


def _add_protocol(parser, work):
    known = PROTOCOLS[work]
    parser.set_defaults(run=lambda options: compare_protocols.run(work, options))
    parser.add_argument(
        "--scenario",
        type=lambda text: _some_of(known, text),
        default=tuple(known),
        metavar="NAMES",
        help=f"scenarios, such as {next(iter(known))}; some of {', '.join(known)}; all (all)",
    )
    peers = compare_protocols.peers_of(work)
    parser.add_argument("--peers", type=_names, default=peers, help=f"beside Ballast ({','.join(peers)})")
    parser.add_argument("--before", type=Path, help=_BEFORE)
    parser.add_argument("--without", type=_names, default=[], metavar="NAMES", help="peers to leave out, such as ballast")
    _add_common(parser)


def _add_common(work):
    work.add_argument("--rounds", type=_positive, default=5, help="rounds; each measures every peer once (%(default)s)")
    work.add_argument("--seconds", type=_positive, default=5, help="length of one run (%(default)s)")
    work.add_argument("--warmup", type=int, default=12, help="seconds of warm-up for Ballast at each load (%(default)s)")
    work.add_argument("--out", type=Path, help="write the report to this file, such as lb-bench/results/NAME.md")


def _numbers(text):
    return tuple(_positive(word) for word in text.split(","))


def _positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} (expected: >= 1)")
    return number


def _names(text):
    return [word for word in text.split(",") if word]


def _http_scenarios(text):
    return _some_of(SCENARIOS, text)


def _dns_scenarios(text):
    return _some_of(dns_scenarios.SCENARIOS, text)


def _some_of(known, text):
    names = tuple(known) if text == "all" else tuple(_names(text))
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(f"{name} (expected: all, or some of {', '.join(known)})")
    return names
