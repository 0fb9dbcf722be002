import unittest

from harness import cache, forward_auth


class ForwardAuthTest(unittest.TestCase):
    def test_expected_answer_has_no_fault(self):
        answer = forward_auth.Answer(200, [], '[["x-user", "ann"]]')

        self.assertEqual(forward_auth.faults(answer, 200, [("X-User", "ann")], absent="mallory"), [])

    def test_other_answers_have_faults(self):
        answer = forward_auth.Answer(200, [], '[["x-user", "mallory"]]')

        self.assertEqual(len(forward_auth.faults(answer, 401)), 1)
        self.assertEqual(len(forward_auth.faults(answer, 200, [("X-User", "ann")], absent="mallory")), 2)

    def test_application_echoes_headers(self):
        server = forward_auth.EchoServer()

        answer = forward_auth.fetch(server.port, "/a", {"X-User": "ann"})

        self.assertEqual(forward_auth.faults(answer, 200, [("X-User", "ann")]), [])
        self.assertEqual(server.requests, 1)

    def test_go_programs_are_named_without_their_major_version(self):
        self.assertEqual(cache.program_name("example.org/tool/cmd/tool"), "tool")
        self.assertEqual(cache.program_name("example.org/tool/v7"), "tool")
