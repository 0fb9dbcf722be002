"""Tests of lb-bench/prometheus: its handling of the dashboard and the rules, and its judgement."""

import json
import unittest

from harness import prometheus
from harness.prometheus import Firing, Panel

CHECK = ("promtool check rules", True, "SUCCESS")
PANEL = Panel("Pools", "Requests", "up", 1)
FIRED = Firing("one", "BallastBackendDown", 2.0)


class Judgement(unittest.TestCase):
    def test_good_if_everything_is_good(self):
        self.assertTrue(prometheus.is_good([CHECK], [], [PANEL], [FIRED]))

    def test_bad_if_anything_is_bad(self):
        self.assertFalse(prometheus.is_good([("x", False, "")], [], [PANEL], [FIRED]))
        self.assertFalse(prometheus.is_good([CHECK], ["BallastGone"], [PANEL], [FIRED]))
        self.assertFalse(prometheus.is_good([CHECK], [], [Panel("", "", "", error="parse error")], [FIRED]))
        self.assertFalse(prometheus.is_good([CHECK], [], [PANEL], [Firing("one", "BallastBackendDown", None)]))


class Queries(unittest.TestCase):
    def test_grafana_variables_are_replaced(self):
        self.assertEqual(
            'sum(rate(a_total{job=~".*", pool=~".*"}[15s]))',
            prometheus.filled('sum(rate(a_total{job=~"$job", pool=~"$pool"}[$__rate_interval]))'),
        )

    def test_no_variable_is_left_in_the_dashboard(self):
        panels = prometheus.panels_of(json.loads(prometheus.DASHBOARD.read_text()))
        self.assertGreater(len(panels), 40)
        for panel in panels:
            self.assertNotIn("$", panel.query)

    def test_rules_get_a_short_hold_time(self):
        text = prometheus.quickened("expr: rate(a_total[5m]) > 0\nfor: 2m\n")
        self.assertEqual("expr: rate(a_total[15s]) > 0\nfor: 1s\n", text)

    def test_awaited_alerts_exist_as_rules(self):
        rules = prometheus.RULES.read_text()
        for name in prometheus.ONE_KILLED + prometheus.ALL_KILLED:
            self.assertIn(f"alert: {name}\n", rules)
