"""Tests of lb-bench/reload: its configurations and its judgement."""

import unittest
from types import SimpleNamespace

from harness import reload


def run(lost=0, failed=0, reloads=0, refused=0):
    http = SimpleNamespace(failed=failed)
    dns = SimpleNamespace(lost=lost, not_answered_well=0)
    return reload.ReloadRun("x", http, dns, [1.0], [0.1] * reloads, refused)


def publication(*published):
    return reload.Publication(100, 100, list(published), [1.0], bar=5.0)


class Judgement(unittest.TestCase):
    def test_good_if_nothing_is_lost(self):
        self.assertTrue(reload.is_good([run(), run(reloads=3)], [publication(1, 4.9)], reloads=3))

    def test_bad_if_anything_is_lost(self):
        for bad in (run(lost=1, reloads=3), run(failed=1, reloads=3), run(refused=1, reloads=3), run(reloads=2)):
            self.assertFalse(reload.is_good([run(), bad], [publication(1)], reloads=3))

    def test_bad_if_a_restart_is_missing(self):
        replaced = run()
        replaced.restarts = [1.0]
        runs = [run(), run(reloads=3), replaced]
        self.assertTrue(reload.is_good(runs, [publication(1)], reloads=3, restarts=1))
        self.assertFalse(reload.is_good(runs, [publication(1)], reloads=3, restarts=2))

    def test_bad_if_one_reload_was_slow(self):
        self.assertFalse(reload.is_good([run(), run(reloads=1)], [publication(1, 5.1)], reloads=1))


class Configurations(unittest.TestCase):
    def test_every_reload_changes_something(self):
        servers = [SimpleNamespace(address=f"127.0.0.1:{port}") for port in range(1, 5)]
        texts = {reload.under_load(servers, 1, 2, 3, number) for number in range(4)}
        self.assertEqual(4, len(texts))

    def test_the_number_of_backends_is_as_requested(self):
        text = reload.many(10_000, 1, 2, weight=1)
        addresses = [line for line in text.splitlines() if "address:" in line]
        self.assertEqual(10_000, len(set(addresses)))
        self.assertEqual(100, text.count("{match:"))


if __name__ == "__main__":
    unittest.main()
