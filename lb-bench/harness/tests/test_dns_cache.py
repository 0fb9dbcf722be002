import unittest
from pathlib import Path

from harness import compare_dns_cache, dns_cache_peers, dnsperf
from harness.dns_cache_scenarios import SCENARIOS, Load
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
    def asked(self, name, count, mark="r1"):
        return SCENARIOS[name].queries(mark, count).splitlines()

    def test_known_names_come_again(self):
        self.assertEqual(len(set(self.asked("hits", 5000))), 1000)
        self.assertEqual(len(set(self.asked("paced", 5000))), 10)

    def test_every_miss_is_for_a_name_of_its_own(self):
        first, second = self.asked("misses", 1000), self.asked("misses", 1000, mark="r2")

        self.assertEqual(len(set(first + second)), 2000)

    def test_one_of_ten_mixed_queries_is_for_a_name_of_its_own(self):
        known = {line.strip() for line in SCENARIOS["mixed"].known()}
        asked = self.asked("mixed", 10_000)
        fresh = [line for line in asked if line not in known]

        self.assertEqual(len(asked), 10_000)
        self.assertEqual(len(fresh), 1000)
        self.assertEqual(len(set(fresh)), 1000)
        self.assertGreaterEqual(len(set(asked) - set(fresh)), 900)

    def test_another_share_of_hits_than_is_meant_is_a_fault(self):
        self.assertEqual(SCENARIOS["hits"].hit_fault(1.0), [])
        self.assertEqual(SCENARIOS["mixed"].hit_fault(0.895), [])
        self.assertIn("95.0%", SCENARIOS["mixed"].hit_fault(0.95)[0])
        self.assertEqual(len(SCENARIOS["misses"].hit_fault(0.1)), 1)

    def test_bars_are_beside_peers_at_loads_that_are_measured(self):
        for scenario in SCENARIOS.values():
            labels = [load.label for load in scenario.loads]
            for bar in scenario.bars:
                with self.subTest(f"{scenario.name}, {bar.peer}"):
                    self.assertIn(bar.peer, compare_dns_cache.PEERS)
                    self.assertIn(bar.load, labels)

    def test_a_load_says_what_it_is(self):
        self.assertEqual(Load(10_000).label, "10,000 outstanding")
        self.assertEqual(Load(100, 2000).label, "2,000 queries/s")


class PeersTest(unittest.TestCase):
    def test_ballast_runs_on_each_java_before_the_peers(self):
        self.assertEqual(list(dns_cache_peers.known([_NEW, _OLD]))[:3], ["ballast", "ballast-17", "dnsdist"])
        self.assertIn("before", dns_cache_peers.known([_NEW], before=BENCH))

    def test_every_peer_is_known_and_says_how_to_get_it(self):
        known = dns_cache_peers.known([_NEW])

        for name in compare_dns_cache.PEERS:
            self.assertTrue(known[name][2])
        self.assertFalse(known["coredns"][1]())
        self.assertFalse(known["ent-dns"][1]())

    def test_every_peer_has_a_configuration_beside_the_others(self):
        present = {file.name.split(".")[0] for file in (BENCH / "peers" / "dns" / "cache").iterdir()}

        self.assertEqual(present, {"ballast", *compare_dns_cache.PEERS, "knot", "zone"})

    def test_all_ask_the_same_upstream(self):
        for file in ("ballast.yaml", "dnsdist.conf", "unbound.conf", "coredns.conf"):
            with self.subTest(file):
                self.assertEqual((BENCH / "peers" / "dns" / "cache" / file).read_text().count("{{upstream_port}}"), 1)


class LookupsTest(unittest.TestCase):
    def test_sums_the_lines_of_a_metric(self):
        self.assertEqual(dns_cache_peers.sum_of(DNSDIST, "dnsdist_cache_hits"), 1200)
        self.assertEqual(dns_cache_peers.sum_of(DNSDIST, "dnsdist_cache_misses"), 7)
        self.assertEqual(dns_cache_peers.sum_of(BALLAST, 'ballast_dns_forwarded_total{outcome="miss"}'), 4)
        self.assertEqual(dns_cache_peers.sum_of(COREDNS, "coredns_cache_hits_total"), 32)

    def test_a_metric_that_is_not_there_counts_nothing(self):
        self.assertEqual(dns_cache_peers.sum_of(BALLAST, "dnsdist_cache_hits"), 0)

    def test_reads_what_all_threads_of_unbound_counted(self):
        self.assertEqual(dns_cache_peers.unbound_lookups(UNBOUND), dns_cache_peers.Lookups(9, 3))

    def test_a_forwarder_that_counts_otherwise_is_a_fault(self):
        hits = SCENARIOS["hits"]

        self.assertEqual(compare_dns_cache.lookup_faults(hits, queries(1000, 998), 999, 0), [])
        self.assertEqual(len(compare_dns_cache.lookup_faults(hits, queries(1000), 999, 0)), 1)
        self.assertEqual(len(compare_dns_cache.lookup_faults(hits, queries(1000), 1001, 0)), 1)
        self.assertEqual(len(compare_dns_cache.lookup_faults(hits, queries(1000), 900, 100)), 1)

    def test_a_forwarder_that_counted_nothing_is_a_fault(self):
        self.assertTrue(compare_dns_cache.lookup_faults(SCENARIOS["misses"], queries(1000), 0, 0))
