"""The findings of schemathesis are read with their operation and how to reproduce them."""

import unittest

from harness import api_fuzz

_OUTPUT = """
=================================== FAILURES ===================================
____________________________ GET /api/v1/dns/filter ____________________________
1. Test Case ID: IBK21k

- ST202 Schema-valid request rejected

    Valid data should have been accepted

[400] Bad Request:

Reproduce with:

    curl -X GET http://127.0.0.1:1/api/v1/dns/filter

____________________________ POST /api/v1/x ____________________________
1. Test Case ID: 7r2add

- ST101 Server error

Reproduce with:

    curl -X POST http://127.0.0.1:1/api/v1/x

=================================== SUMMARY ====================================
"""


class ApiFuzzTest(unittest.TestCase):
    def test_findings_have_operation_failure_and_reproduction(self):
        self.assertEqual(
            [
                "GET /api/v1/dns/filter: ST202 Schema-valid request rejected: `curl -X GET http://127.0.0.1:1/api/v1/dns/filter`",
                "POST /api/v1/x: ST101 Server error: `curl -X POST http://127.0.0.1:1/api/v1/x`",
            ],
            api_fuzz.findings(_OUTPUT),
        )

    def test_no_findings_without_failures(self):
        self.assertEqual([], api_fuzz.findings("=== SUMMARY ===\n46 operations"))


if __name__ == "__main__":
    unittest.main()
