"""The servers behind the balancers: real servers with little CPU use that count their requests."""

import json
import shutil
import string
from random import Random

from harness import java, loopback, ports
from harness.template import fill_peer
from harness.workplace import await_true

# Paths besides `/`, and the sizes of their responses.
BODIES = {"1k": 1 << 10, "10k": 10 << 10, "64k": 1 << 16, "100k": 100 << 10, "1m": 1 << 20, "16m": 1 << 24}


# The number of objects in the JSON document at `/page`, which has about 20 KiB.
_PAGE_OBJECTS = 200


def page():
    """Returns a JSON document that is as compressible as a typical API response; always the same document."""
    random = Random(1)
    words = ["".join(random.choices(string.ascii_lowercase, k=random.randint(3, 10))) for _ in range(300)]
    items = [
        {"id": random.randrange(10**8), "title": " ".join(random.choices(words, k=6)), "price": random.randrange(10**4)}
        for _ in range(_PAGE_OBJECTS)
    ]
    return json.dumps(items).encode()


class NginxBackend:
    """nginx with one worker, on one or several addresses; `/` responds from memory, `/page`, `/1k`, `/64k`, `/1m` and
    `/16m` from the page cache. Below `/cacheable/`, the same responses allow a cache to store them."""

    def __init__(self, place, number, host=ports.LOOPBACK, others=(), listen=""):
        self.name = f"backend-{number}"
        self.host = host
        self.port = ports.free()
        self.address = f"{host}:{self.port}"
        addresses = [self.address, *(other.address for other in others)]
        listens = "\n".join(f"        listen {address} backlog=4096{listen};" for address in addresses)
        self._place = place
        self._reads = 0
        directory = place.subdirectory(self.name)
        for name, size in BODIES.items():
            with open(directory / name, "wb") as body:
                # A sparse file takes no disk space.
                body.truncate(size)
        (directory / "page").write_bytes(page())
        self._config = place.write(
            f"{self.name}.conf",
            fill_peer("backend.conf", {"name": self.name, "listens": listens, "directory": directory}),
        )
        self.start()

    def start(self):
        self.started = self._place.start(self.name, ["nginx", "-e", "stderr", "-c", self._config])

    def kill(self):
        self.started.kill()

    def quit(self):
        """Stops accepting, completes the current requests and exits."""
        self.started.quit()

    def await_ready(self):
        await_true(lambda: self.served() is not None, self.name, 5, self.started)

    def served(self):
        """Returns the requests answered since the start, without those for this count; None without a response."""
        status = loopback.get(f"http://{self.address}/served")
        if status is None:
            return None
        self._reads += 1
        # The third of three numbers: connections accepted, connections handled, requests.
        return int(status.decode().split("\n")[2].split()[2]) - self._reads


class FurtherAddress:
    """Another address of an nginx, which counts the requests of all its addresses."""

    def __init__(self, number, host=ports.LOOPBACK):
        self.name = f"backend-{number}"
        self.address = f"{host}:{ports.free()}"

    def await_ready(self):
        pass

    def served(self):
        return 0


class JavaBackend:
    """The server of the benchmarks jar: delays responses if configured, or replaces nginx if that is missing. It works on
    `slots` requests at the same time."""

    def __init__(self, place, number, delay_ms=0, slots=None):
        self.name = f"backend-{number}"
        self.port = ports.free()
        self.address = f"{ports.LOOPBACK}:{self.port}"
        self.started = place.start(
            self.name, java.command("io.ballast.bench.load.DelayedBackend", self.port, delay_ms, *([slots] if slots else []))
        )

    def await_ready(self):
        await_true(lambda: self.served() is not None, self.name, 20, self.started)

    def served(self):
        count = loopback.get(f"http://{self.address}/served")
        return None if count is None else int(count)


def start(place, count=4, slow=0, slow_ms=0, one_process=False, listen=""):
    """Starts `count` backends, of which the last `slow` delay their responses, and waits until they answer.

    Each is a process of its own; with `one_process`, all without a delay are one process on several addresses.
    """
    kind = NginxBackend if shutil.which("nginx") else JavaBackend
    if one_process and kind is NginxBackend and count > slow:
        further = [FurtherAddress(number) for number in range(2, count - slow + 1)]
        backends = [NginxBackend(place, 1, others=further), *further]
    else:
        options = {"listen": listen} if kind is NginxBackend else {}
        backends = [kind(place, number, **options) for number in range(1, count - slow + 1)]
    backends += [JavaBackend(place, number, slow_ms) for number in range(count - slow + 1, count + 1)]
    for backend in backends:
        backend.await_ready()
    return backends
