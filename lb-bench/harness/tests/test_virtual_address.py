import unittest

from harness import virtual_address


def _result(at, failure=None):
    return {"kind": "http", "at": at, "result": "200", "failure": failure}


class LongestGap(unittest.TestCase):
    def test_counts_from_the_last_success_before_a_fault_to_the_first_one_after_it(self):
        results = [_result(1.0), _result(1.1), _result(1.2, "refused"), _result(2.0, "refused"), _result(3.1), _result(3.2)]
        self.assertAlmostEqual(2.0, virtual_address.longest_gap(results, 1.15))

    def test_ignores_gaps_before_the_fault(self):
        results = [_result(1.0), _result(4.0), _result(4.1), _result(4.2)]
        self.assertAlmostEqual(0.1, virtual_address.longest_gap(results, 4.05))

    def test_is_unknown_without_a_success_after_the_fault(self):
        self.assertIsNone(virtual_address.longest_gap([_result(1.0), _result(2.0, "timeout")], 1.5))


class Files(unittest.TestCase):
    def test_second_node_exchanges_the_addresses(self):
        first, second = virtual_address.keepalived_file(1), virtual_address.keepalived_file(2)
        self.assertIn("unicast_src_ip 10.77.0.2\n", first)
        self.assertIn("unicast_src_ip 10.77.0.3\n", second)
        self.assertIn("priority 100", second)
        self.assertIn("10.77.0.100/16", second)

    def test_second_node_has_its_own_address_and_certificate(self):
        text = virtual_address.node_file(2)
        self.assertIn("bind: 10.77.0.3:7946", text)
        self.assertIn("/etc/ballast/n2.crt", text)
        self.assertIn("peers: [10.77.0.2:7946, 10.77.0.3:7946, 10.77.0.4:7946]", text)
