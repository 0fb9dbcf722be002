import unittest

from harness import scrape
from harness.workplace import Failure


class ConfigTest(unittest.TestCase):
    def test_every_backend_has_an_address_of_its_own(self):
        addresses = {scrape.address(number) for number in range(70_000)}

        self.assertEqual(len(addresses), 70_000)
        self.assertNotIn("127.0.0.1", addresses)
        self.assertTrue(all(0 <= int(part) <= 255 for each in addresses for part in each.split(".")))

    def test_the_configuration_contains_all_backends(self):
        text = scrape.config(25, 80, 8000, 8001, "per_pool")

        self.assertEqual(text.count(':80"'), 25)
        self.assertIn("histograms: per_pool", text)


class CheckTest(unittest.TestCase):
    def test_a_response_without_all_backends_is_a_failure(self):
        text = b"# HELP x\n" + b'ballast_backend_requests_total{backend="a"} 1\n' * 3

        scrape.check("/metrics", text, 3)
        with self.assertRaises(Failure):
            scrape.check("/metrics", text, 5)


class JudgementTest(unittest.TestCase):
    def test_each_kind_of_response_and_the_memory_have_a_bar(self):
        good, slow = scrape.Answer("/metrics", False), scrape.Answer("/stats", False)
        good.cpu, slow.cpu = [9.0, 1.0, 1.1], [2.5, 2.4, 2.6]

        self.assertTrue(scrape.is_good([good], [scrape.Growth(100e6, 119e6)]))
        self.assertFalse(scrape.is_good([good], [scrape.Growth(100e6, 119e6), scrape.Growth(100e6, 121e6)]))
        self.assertFalse(scrape.is_good([good, slow], [scrape.Growth(0, 0)]))
