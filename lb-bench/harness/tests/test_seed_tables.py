import unittest

from harness import divisor_report, opengslb_report, seed_divisor, seed_opengslb, shares
from harness.workplace import ROOT


class Server:
    def __init__(self, port):
        self.port = port


class MovedTest(unittest.TestCase):
    def test_only_ports_change_in_the_published_configurations(self):
        servers = [Server(port) for port in (21001, 21002, 21003, 21004)]
        for published in divisor_report.SCENARIOS:
            with self.subTest(published.strategy):
                text, port, dashboard_port = seed_divisor.moved((ROOT / published.config).read_text(), servers)

                self.assertIn(f"type: {published.strategy}\n", text)
                self.assertIn(f"port: {port}\n", text)
                self.assertIn(f"  port: {dashboard_port}\n", text)
                for server in servers:
                    self.assertIn(f"localhost:{server.port}\n", text)
                for address in divisor_report.ADDRESSES:
                    self.assertNotIn(address, text)

    def test_another_configuration_is_rejected(self):
        with self.assertRaises(ValueError):
            seed_divisor.moved("type: random\nport: 9000\n", [])


class SharesTest(unittest.TestCase):
    def test_turns_may_differ_by_one_per_loop(self):
        self.assertTrue(shares.check("round-robin", (102, 100, 100, 100), (1, 1, 1, 1), loops=2)[1])
        self.assertFalse(shares.check("round-robin", (104, 100, 100, 100), (1, 1, 1, 1), loops=2)[1])

    def test_weights_determine_the_shares(self):
        self.assertTrue(shares.check("w-round-robin", (501, 200, 199, 100), (5, 2, 2, 1), loops=2)[1])
        self.assertFalse(shares.check("w-round-robin", (250, 250, 250, 250), (5, 2, 2, 1), loops=2)[1])

    def test_the_published_shares_pass(self):
        for published in divisor_report.SCENARIOS:
            with self.subTest(published.strategy):
                counts = [count for count, _ in published.backends]
                weights = (5, 2, 2, 1) if published.strategy == "w-round-robin" else (1, 1, 1, 1)

                self.assertTrue(shares.check(published.strategy, counts, weights, loops=2)[1])

    def test_one_address_has_one_backend(self):
        self.assertFalse(shares.check("ip-hash", (100, 1, 0, 0), (1, 1, 1, 1), loops=2)[1])

    def test_the_slowest_backend_gets_the_fewest_requests(self):
        self.assertFalse(shares.check("least-connection", (200, 500, 500, 100), (1, 1, 1, 1), loops=2)[1])


class OpengslbTest(unittest.TestCase):
    def test_every_rule_has_a_published_figure(self):
        for rule in seed_opengslb.RULES:
            with self.subTest(rule.name):
                self.assertTrue(rule.name in opengslb_report.CPU or rule.rate in opengslb_report.RATES)

    def test_every_published_figure_has_a_rule(self):
        self.assertEqual({rule.rate for rule in seed_opengslb.RULES} - {""}, set(opengslb_report.RATES))
        self.assertLessEqual(set(opengslb_report.CPU), {rule.name for rule in seed_opengslb.RULES})

    def test_a_pool_has_the_settings_of_its_rule(self):
        pools = {rule.name: rule.pools(["127.1.0.1:80", "127.1.0.2:80"]) for rule in seed_opengslb.RULES}

        self.assertIn('{address: "127.1.0.2:80"}', pools["round-robin"])
        self.assertIn('{address: "127.1.0.2:80", weight: 2}', pools["weighted"])
        self.assertIn('{address: "127.1.0.2:80", priority: 1}', pools["failover"])
        self.assertRegex(pools["geo"], r'geo:\n    backends:\n.*127.1.0.1:80"}\n  geo-far:\n    backends:\n.*127.1.0.2:80"}')

    def test_every_rule_answers_with_one_address(self):
        for rule in seed_opengslb.RULES:
            with self.subTest(rule.name):
                self.assertIn("answers: 1", rule.service())
                self.assertNotIn("{{", rule.service())
