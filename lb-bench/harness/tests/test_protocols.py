import ssl
import tempfile
import unittest
from pathlib import Path

from harness import cache, certificate, compare, compare_protocols, h2load, peers
from harness.closed_loops import Calls, Handshakes, Requests, Streams
from harness.protocol_scenarios import SCENARIOS
from harness.workplace import BENCH, Failure

H2LOAD = """starting benchmark...
spawning thread #0: 10 total client(s). Timing-based test with 0s of warm-up time and 2s of main duration for measurements.
finished in 2.00s, 76790.50 req/s, 5.35MB/s
requests: 153584 total, 153904 started, 153584 done, 153581 succeeded, 3 failed, 1 errored, 0 timeout
status codes: 153581 2xx, 0 3xx, 0 4xx, 2 5xx
traffic: 10.71MB (11225600) total, 2.34MB (2457600) headers (space savings 85.45%), 1.46MB (1535810) data
                     min         max         mean         sd        +/- sd
time for request:      310us     18.71ms      4.16ms      1.45ms    71.91%
"""


class H2loadTest(unittest.TestCase):
    def test_figures_and_logged_times_are_parsed(self):
        log = "".join(f"1700000000000000\t200\t{micros}\n" for micros in range(1000, 0, -1))

        load = h2load.parse(H2LOAD, log)

        self.assertEqual(load.requests, 153581)
        self.assertEqual(load.bytes, 11225600)
        self.assertAlmostEqual(load.rate, 76790.5)
        self.assertAlmostEqual(load.p50, 0.501)
        self.assertAlmostEqual(load.p99, 0.991)
        self.assertAlmostEqual(load.max, 1.0)

    def test_failures_are_distinguished(self):
        load = h2load.parse(H2LOAD, "")

        self.assertEqual(load.errors, {"status": 2, "stream": 1, "timeout": 0})

    def test_output_without_figures_is_a_failure(self):
        with self.assertRaisesRegex(Failure, "Protocol error"):
            h2load.parse("Protocol error", "")


class ScenariosTest(unittest.TestCase):
    def test_every_peer_has_a_configuration_for_every_scenario(self):
        for work, scenarios in SCENARIOS.items():
            for scenario in scenarios.values():
                files = ["ballast.yaml"] if scenario.own_peers else ["ballast.yaml", "haproxy.cfg", "nginx.conf"]
                for file in files:
                    with self.subTest(work=work, scenario=scenario.name, file=file):
                        text = (BENCH / "peers" / scenario.template(file)).read_text()
                        self.assertIn("{{port}}", text)
                        self.assertEqual("{{backends}}" in text, not scenario.own_peers)

    def test_every_bar_refers_to_a_reported_figure(self):
        for scenarios in SCENARIOS.values():
            for scenario in scenarios.values():
                self.assertTrue(scenario.bars, scenario.name)
                for bar in scenario.bars:
                    self.assertIn(bar.figure, scenario.figures)
                    self.assertIn(bar.peer, scenario.own_peers or compare_protocols.peers_of("h2"))

    def test_loads_have_different_names_in_a_report(self):
        loads = (Requests(128), Handshakes(32, True), Handshakes(32, False), Streams(10, 32))

        self.assertEqual(len({str(load) for load in loads}), len(loads))
        self.assertEqual(str(Streams(10, 32)), str(Calls(10, 32)))

    def test_pending_requests_may_be_counted_by_the_backends_only(self):
        self.assertEqual(Streams(10, 32).in_flight, 320)
        self.assertEqual(Handshakes(32, resumes=True).in_flight, 32)
        self.assertEqual(Handshakes(32, resumes=False).in_flight, 0)


class NamesTest(unittest.TestCase):
    def test_ballast_is_included_unless_left_out(self):
        self.assertEqual(compare_protocols.names(["haproxy", "nginx"], []), ["ballast", "haproxy", "nginx"])
        self.assertEqual(compare_protocols.names(["haproxy", "nginx"], ["ballast"]), ["haproxy", "nginx"])

    def test_arguments_select_scenarios_of_their_subcommand(self):
        options = compare._parser().parse_args(["https", "--scenario", "full,resumed", "--without", "ballast"])

        self.assertEqual(options.scenario, ("full", "resumed"))
        self.assertEqual(options.without, ["ballast"])
        self.assertEqual(compare._parser().parse_args(["tcp"]).scenario, ("connections", "bytes"))

    def test_haproxy_with_splicing_is_a_peer_of_the_tcp_scenarios(self):
        self.assertIn("haproxy-splice", compare._parser().parse_args(["tcp"]).peers)
        self.assertNotIn("haproxy-splice", compare._parser().parse_args(["h2"]).peers)


def shake_hands(server, client):
    """Connects a client that verifies localhost to an in-memory server; returns the negotiated version."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    theirs = server.wrap_bio(to_server, to_client, server_side=True)
    ours = client.wrap_bio(to_client, to_server, server_hostname="localhost")
    for end in (ours, theirs, ours, theirs):
        try:
            end.do_handshake()
        except ssl.SSLWantReadError:
            pass
    return ours.version()


class Place:
    """A directory without processes."""

    def __init__(self, directory):
        self.directory = Path(directory)

    def subdirectory(self, name):
        found = self.directory / name
        found.mkdir(exist_ok=True)
        return found


class CertificateTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.place = Place(temporary.name)

    def test_a_client_can_verify_it(self):
        made = certificate.make(self.place)
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        # Fails unless the key belongs to the certificate.
        server.load_cert_chain(made.both)

        self.assertEqual(shake_hands(server, ssl.create_default_context(cafile=made.authority)), "TLSv1.3")

    def test_it_is_created_once_for_all_peers(self):
        first = certificate.make(self.place).both.read_text()

        self.assertEqual(certificate.make(self.place).both.read_text(), first)

    def test_a_template_gets_its_values(self):
        self.assertEqual(set(peers._wanted("tls/ballast.yaml", self.place)), {"certificate", "key"})
        self.assertEqual(set(peers._wanted("tls/haproxy.cfg", self.place)), {"cores", "both"})
        self.assertEqual(peers._wanted("default/nginx.conf", self.place), {})


class CacheTest(unittest.TestCase):
    def test_a_missing_program_is_named(self):
        with self.assertRaisesRegex(Failure, "no-such-program is missing"):
            cache._run(["no-such-program"])

    def test_the_output_of_a_failed_program_is_included(self):
        with self.assertRaisesRegex(Failure, "No such file"):
            cache._run(["ls", "/no/such/file"], {"LC_ALL": "C"})
