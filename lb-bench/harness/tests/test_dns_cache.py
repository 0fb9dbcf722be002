import unittest
from pathlib import Path

from harness import compare_dns_cache, dns_cache_peers, dnsperf, query_logs
from harness.dns_cache_scenarios import SCENARIOS, QueryLoad
from harness.javas import Java
from harness.workplace import BENCH

_NEW, _OLD = Java(25, Path("/new")), Java(17, Path("/old"))

DNSDIST = """# HELP dnsdist_cache_hits Number of times an answer was retrieved from cache
# TYPE dnsdist_cache_hits counter
dnsdist_cache_hits 1200
# TYPE dnsdist_cache_misses counter
dnsdist_cache_misses 7
dnsdist_cache_misses_of_others 5
"""
BALLAST = """ballast_dns_forwarded_total{outcome="hit"} 31
ballast_dns_forwarded_total{outcome="miss"} 4
"""
LOGGED = (
    BALLAST
    + """ballast_dns_logged_total{to="dnstap"} 1
ballast_dns_logged_total{to="file"} 20
ballast_dns_logged_total{to="memory"} 30
ballast_dns_log_dropped_total{at="dnstap"} 9
ballast_dns_log_dropped_total{at="file"} 2
ballast_dns_log_dropped_total{at="queue"} 3
"""
)
COREDNS = """coredns_cache_hits_total{server="dns://:53",type="denial",view="",zones="."} 2
coredns_cache_hits_total{server="dns://:53",type="success",view="",zones="."} 3e+01
"""
UNBOUND = """thread0.num.cachehits=3
total.num.queries=12
total.num.cachehits=9
total.num.cachemiss=3
time.now=1795465698.123
"""


def queries(sent, completed=None):
    completed = sent if completed is None else completed
    return dnsperf.Queries(sent, completed, sent - completed, 0, 1.0, 0.1, 1.0, 100)


class ScenariosTest(unittest.TestCase):
    def queried(self, name, count, mark="r1"):
        return SCENARIOS[name].queries(mark, count).splitlines()

    def test_known_names_are_repeated(self):
        self.assertEqual(len(set(self.queried("hits", 5000))), 1000)
        self.assertEqual(len(set(self.queried("paced", 5000))), 10)

    def test_every_miss_has_a_unique_name(self):
        first, second = self.queried("misses", 1000), self.queried("misses", 1000, mark="r2")

        self.assertEqual(len(set(first + second)), 2000)

    def test_one_of_ten_mixed_queries_has_a_unique_name(self):
        known = {line.strip() for line in SCENARIOS["mixed"].known()}
        queried = self.queried("mixed", 10_000)
        fresh = [line for line in queried if line not in known]

        self.assertEqual(len(queried), 10_000)
        self.assertEqual(len(fresh), 1000)
        self.assertEqual(len(set(fresh)), 1000)
        self.assertGreaterEqual(len(set(queried) - set(fresh)), 900)

    def test_an_unexpected_hit_share_is_a_fault(self):
        self.assertEqual(SCENARIOS["hits"].hit_fault(1.0), [])
        self.assertEqual(SCENARIOS["mixed"].hit_fault(0.895), [])
        self.assertIn("95.0%", SCENARIOS["mixed"].hit_fault(0.95)[0])
        self.assertEqual(len(SCENARIOS["misses"].hit_fault(0.1)), 1)

    def test_bars_refer_to_measured_peers_and_loads(self):
        for scenario in SCENARIOS.values():
            labels = [load.label for load in scenario.loads]
            for bar in scenario.bars:
                with self.subTest(f"{scenario.name}, {bar.peer}"):
                    self.assertIn(bar.peer, compare_dns_cache.PEERS)
                    self.assertIn(bar.load, labels)

    def test_a_load_has_a_description(self):
        self.assertEqual(QueryLoad(10_000).label, "10,000 outstanding")
        self.assertEqual(QueryLoad(100, 2000).label, "2,000 queries/s")


class PeersTest(unittest.TestCase):
    def test_ballast_runs_on_each_java_before_the_peers(self):
        self.assertEqual(list(dns_cache_peers.known([_NEW, _OLD]))[:3], ["ballast", "ballast-17", "dnsdist"])
        self.assertIn("before", dns_cache_peers.known([_NEW], before=BENCH))

    def test_every_peer_has_an_installation_hint(self):
        known = dns_cache_peers.known([_NEW])

        for name in compare_dns_cache.PEERS:
            self.assertTrue(known[name][2])
        self.assertFalse(known["coredns"][1]())
        self.assertFalse(known["ent-dns"][1]())

    def test_every_peer_has_a_configuration(self):
        present = {file.name.split(".")[0] for file in (BENCH / "peers" / "dns" / "cache").iterdir()}

        self.assertEqual(present, {"ballast", *compare_dns_cache.PEERS, "knot", "zone"})

    def test_all_peers_use_the_same_upstream(self):
        for file in ("ballast.yaml", "dnsdist.conf", "unbound.conf", "coredns.conf"):
            with self.subTest(file):
                self.assertEqual((BENCH / "peers" / "dns" / "cache" / file).read_text().count("{{upstream_port}}"), 1)


class LookupsTest(unittest.TestCase):
    def test_sums_the_lines_of_a_metric(self):
        self.assertEqual(dns_cache_peers.sum_of(DNSDIST, "dnsdist_cache_hits"), 1200)
        self.assertEqual(dns_cache_peers.sum_of(DNSDIST, "dnsdist_cache_misses"), 7)
        self.assertEqual(dns_cache_peers.sum_of(BALLAST, 'ballast_dns_forwarded_total{outcome="miss"}'), 4)
        self.assertEqual(dns_cache_peers.sum_of(COREDNS, "coredns_cache_hits_total"), 32)

    def test_a_missing_metric_is_zero(self):
        self.assertEqual(dns_cache_peers.sum_of(BALLAST, "dnsdist_cache_hits"), 0)

    def test_counters_of_all_unbound_threads_are_summed(self):
        self.assertEqual(dns_cache_peers.unbound_lookups(UNBOUND), dns_cache_peers.Lookups(9, 3))

    def test_differing_counters_of_a_forwarder_are_a_fault(self):
        hits = SCENARIOS["hits"]

        self.assertEqual(compare_dns_cache.lookup_faults(hits, queries(1000, 998), 999, 0), [])
        self.assertEqual(len(compare_dns_cache.lookup_faults(hits, queries(1000), 999, 0)), 1)
        self.assertEqual(len(compare_dns_cache.lookup_faults(hits, queries(1000), 1001, 0)), 1)
        self.assertEqual(len(compare_dns_cache.lookup_faults(hits, queries(1000), 900, 100)), 1)

    def test_zero_counters_of_a_forwarder_are_a_fault(self):
        self.assertTrue(compare_dns_cache.lookup_faults(SCENARIOS["misses"], queries(1000), 0, 0))


class QueryLogsTest(unittest.TestCase):
    def test_a_named_log_adds_a_ballast(self):
        known = dns_cache_peers.known([_NEW, _OLD], logs=[query_logs.LOGS["off"], query_logs.LOGS["file"]])

        self.assertEqual(list(known)[:5], ["ballast", "ballast-17", "ballast-log-off", "ballast-log-file", "dnsdist"])

    def test_its_lines_are_added_to_the_configuration(self):
        text = (BENCH / "peers" / "dns" / "cache" / "ballast.yaml").read_text()

        self.assertEqual(query_logs.DEFAULT.added_to(text, "/q"), text)
        self.assertIn("\n  query_log: {memory: 0, sample: 1/1000000}\n", query_logs.LOGS["off"].added_to(text, "/q"))
        self.assertIn('\n  query_log: {file: "/q", rotate', query_logs.LOGS["file"].added_to(text, "/q"))

    def test_counters_of_the_log_destination_are_read(self):
        in_memory = dns_cache_peers.ballast_lookups(LOGGED, query_logs.DEFAULT)

        self.assertEqual((in_memory.hits, in_memory.misses), (31, 4))
        self.assertEqual(in_memory.logged, query_logs.Logged(30, 5))
        self.assertEqual(dns_cache_peers.ballast_lookups(LOGGED, query_logs.LOGS["file"]).logged.written, 20)
        self.assertIsNone(dns_cache_peers.ballast_lookups(BALLAST, query_logs.DEFAULT).logged)

    def test_a_query_neither_logged_nor_dropped_is_a_fault(self):
        for log, written, dropped, is_good in (
            (query_logs.DEFAULT, 900, 100, True),
            (query_logs.DEFAULT, 900, 90, False),
            (query_logs.LOGS["file"], 1001, 0, False),
            (query_logs.LOGS["off"], 1, 0, True),
            (query_logs.LOGS["off"], 900, 100, False),
        ):
            with self.subTest(log=log.name, written=written, dropped=dropped):
                before, now = query_logs.Logged(5, 5), query_logs.Logged(5 + written, 5 + dropped)
                self.assertEqual(query_logs.fault(log, before, now, completed=1000, sent=1000) is None, is_good)

    def test_scenarios_refer_to_existing_logs(self):
        self.assertEqual(SCENARIOS["log"].logs, tuple(query_logs.LOGS))
