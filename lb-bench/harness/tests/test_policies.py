import argparse
import base64
import json
import re
import tempfile
import unittest
from pathlib import Path

from harness import backends, policies
from harness.policy_scenarios import SCENARIOS


class Directory:
    """A workplace that only has a directory."""

    def __init__(self, path):
        self._path = Path(path)

    def subdirectory(self, name):
        made = self._path / name
        made.mkdir(exist_ok=True)
        return made


class PolicyScenariosTest(unittest.TestCase):
    def test_every_peer_gets_the_policy(self):
        for scenario in SCENARIOS.values():
            with self.subTest(scenario.name), tempfile.TemporaryDirectory() as path:
                prepared = scenario.prepare(Directory(path))
                for peer, file, policy in (
                    ("ballast", "ballast.yaml", scenario.ballast),
                    ("haproxy", "haproxy.cfg", scenario.haproxy),
                    ("nginx", "nginx.conf", scenario.nginx),
                ):
                    if peer not in ("ballast", *scenario.able_peers):
                        continue
                    text = Path(prepared.template(file)).read_text()
                    self.assertIn("{{port}}", text)
                    self.assertNotRegex(text, r"\{\{(policy|sections|token|jwks|public_key|root|\w+_users)\}\}")
                    self.assertIn(re.split(r"\{\{\w+\}\}", policy)[0], text)

    def test_the_files_have_the_announced_sizes(self):
        with tempfile.TemporaryDirectory() as path:
            prepared = SCENARIOS["files-100k"].prepare(Directory(path))
            self.assertEqual((Path(prepared.files) / "100k").stat().st_size, 100 << 10)
            self.assertIn(prepared.files, Path(prepared.template("ballast.yaml")).read_text())

    def test_the_token_names_issuer_audience_and_key(self):
        with tempfile.TemporaryDirectory() as path:
            scenario = SCENARIOS["jwt"].prepare(Directory(path))
            (header,) = scenario.request_headers
            head, claims, signature = header.removeprefix("Authorization: Bearer ").split(".")
            keys = json.loads((Path(scenario.files) / "jwks.json").read_text())["keys"]

        self.assertEqual(_json(head)["kid"], keys[0]["kid"])
        self.assertEqual((_json(claims)["iss"], _json(claims)["aud"]), ("https://id.example", "api"))
        self.assertEqual(len(_bytes(signature)), len(_bytes(keys[0]["n"])))

    def test_every_scenario_has_a_bar_for_a_peer_that_can_do_it(self):
        for scenario in SCENARIOS.values():
            self.assertTrue(scenario.bars, scenario.name)
            for bar in scenario.bars:
                self.assertIn(bar.peer, scenario.able_peers)

    def test_an_unknown_scenario_is_an_error(self):
        with self.assertRaisesRegex(argparse.ArgumentTypeError, "unknown"):
            policies._scenarios("gzip,unknown")

    def test_the_page_is_the_same_in_each_run(self):
        self.assertEqual(backends.page(), backends.page())
        self.assertGreater(len(backends.page()), 16 * 1024)


def _json(text):
    return json.loads(_bytes(text))


def _bytes(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


if __name__ == "__main__":
    unittest.main()
