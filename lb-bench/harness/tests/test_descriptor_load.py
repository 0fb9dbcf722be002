import unittest

from harness import descriptor_load, wrk

LOAD = wrk.Load(
    requests=2_000, seconds=10, bytes=0, errors={"status": 3, "timeout": 4}, p50=20.04, p99=1_234.5, p99_9=0, max=0
)


class DescriptorLoadTest(unittest.TestCase):
    def test_a_row_has_the_cost_of_an_answered_request(self):
        self.assertEqual(
            descriptor_load._row(descriptor_load.CASES[0], 300, LOAD, cpu=0.5),
            ["HTTP/2", "300", "200", "250.0", "20.0", "1,234.5", "3", "4", "0.05"],
        )

    def test_no_answered_request_is_no_error(self):
        nothing = wrk.Load(requests=0, seconds=10, bytes=0, errors={}, p50=0, p99=0, p99_9=0, max=0)
        self.assertEqual(descriptor_load._row(descriptor_load.CASES[0], 300, nothing, cpu=0.5)[2], "0")


if __name__ == "__main__":
    unittest.main()
