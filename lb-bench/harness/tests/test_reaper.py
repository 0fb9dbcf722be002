import threading
import unittest

from harness import reaper


class Backend:
    def __init__(self, name, log, done):
        self.name = name
        self._log = log
        self._done = done

    def kill(self):
        self._note("kill")

    def quit(self):
        self._note("quit")

    def start(self):
        self._note("start")

    def _note(self, what):
        self._log.append((self.name, what))
        if len(self._log) >= 8:
            self._done.set()


class ReaperTest(unittest.TestCase):
    def test_every_backend_is_ended_in_every_way_in_turn_and_started_again(self):
        log, done = [], threading.Event()
        killer = reaper.Reaper(
            [Backend("a", log, done), Backend("b", log, done)], every=0.002, down=0.001, ways=(reaper.KILL, reaper.QUIT)
        )
        killer.start()
        self.assertTrue(done.wait(20))
        killer.stop()

        ends = [entry for entry in log[:8] if entry[1] != "start"]
        self.assertEqual(ends, [("a", "kill"), ("b", "quit"), ("a", "quit"), ("b", "kill")])
