import unittest

from harness import cache_tests


def test(kind, name, result):
    return {"group": "g", "id": name, "kind": kind, "result": result, "reason": ""}


class SummaryTest(unittest.TestCase):
    def test_only_required_tests_fail_the_run(self):
        evaluated = [
            test("required", "a", "pass"),
            test("required", "b", "fail"),
            test("required", "headers-store-Set-Cookie", "setup_fail"),
            test("optimal", "c", "optional_fail"),
            test("check", "d", "no"),
        ]

        rows = cache_tests.summary(evaluated)

        self.assertEqual([row for row, _ in rows][0], ("required", 3, 1, "1 fail, 1 setup_fail"))
        self.assertEqual([[failed["id"] for failed in failures] for _, failures in rows], [["b"], [], []])

    def test_a_run_without_tests_fails(self):
        self.assertTrue(all(failures for _, failures in cache_tests.summary([])))


if __name__ == "__main__":
    unittest.main()
