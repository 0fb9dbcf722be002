import socket
import unittest

from harness import cluster_health


class ClusterHealthTest(unittest.TestCase):
    def test_a_change_takes_from_the_first_node_to_the_last(self):
        self.assertAlmostEqual(cluster_health.spread([10.0, 10.025, 10.01]), 25.0)

    def test_shares_are_values_that_were_measured(self):
        values = list(range(1, 201))
        self.assertEqual(cluster_health.share(values, 0.5), 101)
        self.assertEqual(cluster_health.share(values, 0.99), 199)
        self.assertEqual(cluster_health.share([7], 0.99), 7)

    def test_both_bars_must_be_met(self):
        self.assertTrue(cluster_health.is_met([20.0] * 99 + [250.0]))
        self.assertFalse(cluster_health.is_met([120.0] * 100))
        self.assertFalse(cluster_health.is_met([20.0] * 90 + [400.0] * 10))

    def test_a_backend_refuses_and_accepts_again(self):
        backend = cluster_health.Backend()
        host, port = backend.address.split(":")
        for _ in range(2):
            backend.accept()
            socket.create_connection((host, int(port))).close()
            backend.refuse()
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection((host, int(port)))
