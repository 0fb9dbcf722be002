import unittest

from harness import echo


class EchoTest(unittest.TestCase):
    def test_expected_answer_has_no_fault(self):
        answer = echo.Answer(200, [], '[["x-user", "ann"]]')

        self.assertEqual(echo.faults(answer, 200, [("X-User", "ann")], absent="mallory"), [])

    def test_other_answers_have_faults(self):
        answer = echo.Answer(200, [], '[["x-user", "mallory"]]')

        self.assertEqual(len(echo.faults(answer, 401)), 1)
        self.assertEqual(len(echo.faults(answer, 200, [("X-User", "ann")], absent="mallory")), 2)

    def test_application_echoes_headers(self):
        server = echo.EchoServer()

        answer = echo.fetch(server.port, "/a", {"X-User": "ann"})

        self.assertEqual(echo.faults(answer, 200, [("X-User", "ann")]), [])
        self.assertEqual(server.requests, 1)
