import unittest
from unittest import mock

from harness import acme, acme_issuers, acme_on_demand, cache, loopback
from harness.acme_site import Gatekeeper, Site
from harness.workplace import Workplace


class AcmeTest(unittest.TestCase):
    def test_descriptions_of_scenarios_differ(self):
        scenarios = [*acme._SCENARIOS, *acme_issuers.SCENARIOS, *acme_on_demand.SCENARIOS]

        self.assertEqual(len(scenarios), len({scenario.__doc__ for scenario in scenarios}))

    def test_configuration_has_names_and_further_lines(self):
        with Workplace() as place, mock.patch.object(cache, "go_tool", lambda *_: "pebble"):
            site = Site(place, "http-01", ["a.example", "*.b.example"], ["eab: {kid: k}"], ["on_demand: true"])
            text = site.config()

        self.assertIn('tls: {acme: ["a.example", "*.b.example"], on_demand: true}', text)
        self.assertIn("\n  eab: {kid: k}\n", text)

    def test_configuration_has_two_issuers_in_order(self):
        with Workplace() as place, mock.patch.object(cache, "go_tool", lambda *_: "pebble"):
            site = Site(place, "http-01", ["a.example"], second={})
            text = site.config()

        self.assertNotEqual(site.authority.port, site.second.port)
        first, second = text.index(f":{site.authority.port}/dir"), text.index(f":{site.second.port}/dir")
        self.assertLess(text.index("- name: first"), first)
        self.assertLess(first, text.index("- name: second"))
        self.assertLess(text.index("- name: second"), second)

    def test_gatekeeper_permits_names_with_its_suffix(self):
        keeper = Gatekeeper(".plain.example")
        try:
            answers = [loopback.status(f"{keeper.url}&domain={name}") for name in ("a.plain.example", "b.example", "")]
        finally:
            keeper.stop()

        self.assertEqual(answers, [200, 403, 403])
        self.assertEqual(keeper.asked, ["a.plain.example", "b.example", ""])
