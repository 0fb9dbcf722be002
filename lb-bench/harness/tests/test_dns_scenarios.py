import re
import socket
import unittest
from pathlib import Path

from harness import dns_peers, dns_scenarios, open_ports
from harness.dns_scenarios import SCENARIOS
from harness.javas import Java
from harness.workplace import BENCH

_NEW, _OLD = Java(25, Path("/new")), Java(17, Path("/old"))


def names(scenario, javas, peers=("gdnsd", "knot", "opengslb")):
    return [kind.name for kind in dns_peers.kinds(SCENARIOS[scenario], javas, peers)]


class KindsTest(unittest.TestCase):
    def test_ballast_runs_once_on_each_java_and_the_peers_once(self):
        self.assertEqual(names("a4", [_NEW, _OLD]), ["ballast", "ballast-17", "gdnsd"])

    def test_ballast_is_compared_with_itself_on_the_same_java(self):
        self.assertEqual(names("backends-1000", [_NEW, _OLD]), ["ballast", "ballast-17", "plain", "plain-17"])

    def test_only_the_requested_peers_are_measured(self):
        self.assertEqual(names("one", [_OLD], ["opengslb"]), ["ballast", "opengslb"])

    def test_a_missing_peer_has_an_installation_hint(self):
        kind = dns_peers.kinds(SCENARIOS["one"], [_NEW], ["opengslb"])[-1]

        self.assertFalse(kind.is_installed())
        self.assertIn("--opengslb", kind.how_to_get)


class ScenariosTest(unittest.TestCase):
    def test_every_server_of_a_scenario_has_a_configuration(self):
        for scenario in SCENARIOS.values():
            present = {file.name.split(".")[0] for file in (BENCH / "peers" / "dns" / scenario.name).iterdir()}
            for server in {"ballast", *scenario.peers} - {dns_scenarios.PLAIN_PEER}:
                with self.subTest(f"{scenario.name}, {server}"):
                    self.assertIn(server, present)

    def test_bars_refer_to_measured_servers(self):
        for scenario in SCENARIOS.values():
            for bar in scenario.bars + scenario.bars_before_java_22:
                self.assertIn(bar.peer, scenario.peers)

    def test_an_older_java_has_bars_of_its_own(self):
        self.assertEqual(SCENARIOS["a4"].bars_for(25)[0].bar, 0.98)
        self.assertEqual(SCENARIOS["a4"].bars_for(21)[0].bar, 0.90)

    def test_networks_of_two_regions_are_interleaved(self):
        near, far = SCENARIOS["geo"].network_lists()

        self.assertTrue(near.startswith("10.0.0.0/24, 10.0.2.0/24"))
        self.assertTrue(far.endswith("10.39.15.0/24"))
        self.assertEqual(len(near.split(", ")) + len(far.split(", ")), 10_000)

    def test_only_other_work_uses_other_dnsperf_options(self):
        self.assertEqual(SCENARIOS["a4"].options, ())
        self.assertEqual(SCENARIOS["dnssec"].options, ("-D",))
        self.assertEqual(SCENARIOS["geo"].options[0], "-E")

    def test_every_name_is_queried_and_served(self):
        scenario = SCENARIOS["names"]

        self.assertEqual(len(scenario.queries().splitlines()), 1000)
        self.assertEqual(len(re.findall(r"^app\d+ 30 A ", scenario.static_records(), re.MULTILINE)), 4000)


class OpenPortsTest(unittest.TestCase):
    def test_each_address_is_open_while_the_context_is_active(self):
        with open_ports.OpenPorts(252) as opened:
            hosts = opened.hosts
            for host in hosts:
                socket.create_connection((host, opened.port), timeout=5).close()

        self.assertEqual(len(set(hosts)), 252)
        for host in (hosts[0], hosts[-1]):
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection((host, opened.port), timeout=5)

    def test_connections_are_closed_immediately(self):
        with open_ports.OpenPorts(1) as opened:
            with socket.create_connection((opened.hosts[0], opened.port), timeout=5) as client:
                self.assertEqual(client.recv(1), b"")

    def test_a_closed_port_refuses_until_it_is_reopened(self):
        with open_ports.OpenPorts(2) as opened:
            host = opened.hosts[0]
            opened.shut(host)
            with self.assertRaises(ConnectionRefusedError):
                socket.create_connection((host, opened.port), timeout=5)
            socket.create_connection((opened.hosts[1], opened.port), timeout=5).close()
            opened.open(host)
            socket.create_connection((host, opened.port), timeout=5).close()
