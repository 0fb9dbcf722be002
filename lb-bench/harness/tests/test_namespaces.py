import subprocess
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from harness import namespaces
from harness.namespaces import Network

_DEFAULTS = {"gc_thresh3": 1024, "gc_thresh2": 512, "gc_thresh1": 128}


class NeighborLimitsTest(unittest.TestCase):
    """Replaces the kernel's limits by files, and `ip` by a function that does nothing."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.limits = [Path(directory.name, name) for name in _DEFAULTS]
        for limit in self.limits:
            limit.write_text(str(_DEFAULTS[limit.name]))
        listing = subprocess.CompletedProcess([], 0, stdout="")
        self.run = mock.Mock()
        for patch in (
            mock.patch.object(namespaces, "_NEIGHBOR_LIMITS", self.limits),
            mock.patch.object(namespaces, "_run", self.run),
            mock.patch.object(namespaces.subprocess, "run", return_value=listing),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def values(self):
        return {limit.name: int(limit.read_text()) for limit in self.limits}

    def test_limits_allow_an_entry_of_each_host_for_each_other(self):
        with Network(50):
            self.assertGreater(min(self.values().values()), 50 * 49)

    def test_limits_that_suffice_are_kept(self):
        with Network(3):
            self.assertEqual(self.values(), _DEFAULTS)

    def test_limits_are_restored(self):
        with Network(50):
            pass

        self.assertEqual(self.values(), _DEFAULTS)

    def test_limits_are_restored_if_the_network_cannot_be_created(self):
        self.run.side_effect = subprocess.CalledProcessError(1, ["ip"])

        with self.assertRaises(subprocess.CalledProcessError), Network(50):
            self.fail("entered")

        self.assertEqual(self.values(), _DEFAULTS)


if __name__ == "__main__":
    unittest.main()
