import threading
import unittest

from harness import backend_stopper


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


class BackendStopperTest(unittest.TestCase):
    def test_every_backend_is_stopped_by_every_method_in_turn_and_restarted(self):
        log, done = [], threading.Event()
        killer = backend_stopper.BackendStopper(
            [Backend("a", log, done), Backend("b", log, done)], every=0.002, down=0.001, ways=(backend_stopper.KILL, backend_stopper.QUIT)
        )
        killer.start()
        self.assertTrue(done.wait(20))
        killer.stop()

        ends = [entry for entry in log[:8] if entry[1] != "start"]
        self.assertEqual(ends, [("a", "kill"), ("b", "quit"), ("a", "quit"), ("b", "kill")])
