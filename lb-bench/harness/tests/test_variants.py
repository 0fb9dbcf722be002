import unittest

from harness import variants


class VariantsTest(unittest.TestCase):
    TEXT = """% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 81.15    0.028912          12      2345         3 io_uring_enter
 10.10    0.003600          30       120           write
------ ----------- ----------- --------- --------- ----------------
100.00    0.032512          13      2465         3 total
"""

    def test_calls_are_counted_by_name(self):
        self.assertEqual({"io_uring_enter": 2345, "write": 120}, variants.parse_calls(self.TEXT))

    def test_an_empty_trace_has_no_calls(self):
        self.assertEqual({}, variants.parse_calls(""))


if __name__ == "__main__":
    unittest.main()
