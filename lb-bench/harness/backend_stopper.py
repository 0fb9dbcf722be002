"""Stops and restarts backends under load, to see the effect on requests."""

import threading

from harness.workplace import say

# How a backend is stopped: killed at once, or gracefully after its current requests.
KILL = ("killing", lambda server: server.kill())
QUIT = ("stopping", lambda server: server.quit())


class BackendStopper(threading.Thread):
    """Periodically stops one backend, in turn and alternating the method, and restarts it after a while."""

    def __init__(self, servers, every, down, ways=(KILL,)):
        super().__init__(daemon=True)
        self.ended = 0
        self._servers = servers
        self._every = every
        self._down = down
        self._ways = ways
        self._stopped = threading.Event()

    def run(self):
        while not self._stopped.wait(self._every - self._down if self.ended else self._every):
            server = self._servers[self.ended % len(self._servers)]
            # Uses each method for each backend, even if there are as many methods as backends.
            word, end = self._ways[(self.ended // len(self._servers) + self.ended) % len(self._ways)]
            say(f"{word} {server.name}")
            end(server)
            self.ended += 1
            if self._stopped.wait(self._down):
                return
            say(f"starting {server.name}")
            server.start()

    def stop(self):
        self._stopped.set()
        self.join()
