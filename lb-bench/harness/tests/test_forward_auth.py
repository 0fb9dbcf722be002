import unittest

from harness import cache


class ForwardAuthTest(unittest.TestCase):
    def test_go_programs_are_named_without_their_major_version(self):
        self.assertEqual(cache.program_name("example.org/tool/cmd/tool"), "tool")
        self.assertEqual(cache.program_name("example.org/tool/v7"), "tool")
