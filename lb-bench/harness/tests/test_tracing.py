import unittest

from harness import tracing


class TracingTest(unittest.TestCase):
    def test_attributes_are_found_by_name(self):
        span = {"tags": [{"key": "span.kind", "type": "string", "value": "client"}, {"key": "error", "value": True}]}

        self.assertEqual(tracing.tags(span), {"span.kind": "client", "error": True})
