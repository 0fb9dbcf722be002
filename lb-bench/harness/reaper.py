"""Ends backends under load and starts them again, to see what that does to requests."""

import threading

from harness.workplace import say

# How a backend is ended: at once with all it has in hand, or after it has finished that.
KILL = ("killing", lambda server: server.kill())
QUIT = ("stopping", lambda server: server.quit())


class Reaper(threading.Thread):
    """Ends one backend every so often, each in turn and in one way after the other; starts it again a while later."""

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
            # Each backend meets each way, also if there are as many of both.
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
