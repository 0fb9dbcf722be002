"""Many agents in one process, which send what `lb agent` sends: each has two connections, one for reports and one that
waits for commands."""

import asyncio
import collections
import hashlib
import json
import random
import socket
import ssl
import struct
import time

_HEARTBEAT_SECONDS = 10
_POLL_SECONDS = 45
_FIRST_WAIT_SECONDS, _MAX_WAIT_SECONDS = 0.25, 5
_MAX_DOUBLINGS = 5
_TIMEOUT_SECONDS = 10
# All agents share one thread here, which needs seconds for their handshakes. So the limits are longer than in `lb agent`, and
# only some begin at the same time: otherwise the node would close connections whose client is too slow.
_CONNECT_SECONDS = 60
_MAX_HANDSHAKES = 64
# Offsets in `struct tcp_info` of Linux: bytes_acked and bytes_received (64 bits), segs_out and segs_in (32 bits).
_TCP_INFO_BYTES = 144
_BYTES_AT, _SEGMENTS_AT = 120, 136
# The headers of IPv4 and TCP with timestamps.
SEGMENT_BYTES = 52


class Refused(Exception):
    """A status other than 200."""

    def __init__(self, status):
        super().__init__(f"status {status}")
        self.status = status


class Connection:
    """One HTTP/1.1 connection by TLS."""

    def __init__(self, node):
        self._node = node
        self._streams = None

    async def send(self, method, path, bearer, body=b"", timeout=_TIMEOUT_SECONDS):
        """Returns the body of the response; raises Refused or OSError."""
        try:
            if self._streams is None:
                async with self._node.handshakes:
                    opening = asyncio.open_connection(self._node.host, self._node.port, ssl=self._node.tls)
                    self._streams = await asyncio.wait_for(opening, _CONNECT_SECONDS)
            return await asyncio.wait_for(self._send(method, path, bearer, body), timeout)
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, ssl.SSLError) as failure:
            self.close()
            raise OSError(str(failure) or type(failure).__name__) from None

    async def _send(self, method, path, bearer, body):
        reader, writer = self._streams
        length = f"Content-Length: {len(body)}\r\n" if method == "PUT" else ""
        kind = "" if "/heartbeat" in path else "Content-Type: application/json\r\n"
        writer.write(
            f"{method} /agents/v1/{path} HTTP/1.1\r\n{length}Host: {self._node.host}:{self._node.port}\r\n"
            f"Authorization: Bearer {bearer}\r\n{kind}User-Agent: lb-agent\r\n\r\n".encode()
            + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        size = next(int(line[15:]) for line in head.splitlines() if line.lower().startswith("content-length:"))
        answer = await reader.readexactly(size)
        status = int(head.split(" ", 2)[1])
        if status != 200:
            raise Refused(status)
        return answer

    def traffic(self):
        """Returns (bytes, segments) in both directions since the connection was opened; zeros without one."""
        if self._streams is None:
            return 0, 0
        info = self._streams[1].get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
        sent, received = struct.unpack_from("=QQ", info, _BYTES_AT)
        out, into = struct.unpack_from("=II", info, _SEGMENTS_AT)
        return sent + received, out + into

    def close(self):
        if self._streams is not None:
            self._streams[1].transport.abort()
            self._streams = None


class Node:
    """The address of a node, with the TLS settings for it."""

    def __init__(self, host, port, authority):
        self.host, self.port = host, port
        self.tls = ssl.create_default_context(cafile=authority)
        self.handshakes = asyncio.Semaphore(_MAX_HANDSHAKES)


class Agent:
    """One agent with its backends."""

    def __init__(self, node, number, backends, token):
        self.id = f"app-{number:04d}-{number:08x}"
        self._secret = hashlib.sha256(f"secret {number}".encode()).hexdigest()[:43]
        self._token = token
        self._reports, self._commands = Connection(node), Connection(node)
        self._random = random.Random(number)
        first = number * backends
        self._document = json.dumps({"backends": [_backend(first + index) for index in range(backends)]}).encode()
        self._failures = 0
        # The time of the last report that the node has accepted with all backends; None since the connection broke.
        self.connected_at = None
        self.errors = 0
        self.last_error = ""
        self._broken = asyncio.Event()

    async def report_forever(self):
        version = hashlib.sha256(self._document).hexdigest()[:16]
        while True:
            try:
                if self.connected_at is None:
                    await self._report()
                    self.connected_at = time.monotonic()
                    self._failures = 0
                else:
                    await self._repeat(version)
                await self._sleep(_HEARTBEAT_SECONDS * (1 - self._random.random() / 10))
            except Exception as failure:  # every failure must be reported, and the agent must continue
                self.errors += 1
                self.last_error = str(failure)
                self.connected_at = None
                wait = min(_FIRST_WAIT_SECONDS * 2 ** min(self._failures, _MAX_DOUBLINGS), _MAX_WAIT_SECONDS)
                self._failures += 1
                await asyncio.sleep(wait * (0.75 + self._random.random() / 4))

    async def _sleep(self, seconds):
        """Waits, or raises OSError as soon as the connection for commands has broken."""
        self._broken.clear()
        try:
            await asyncio.wait_for(self._broken.wait(), seconds)
        except asyncio.TimeoutError:
            return
        raise OSError("the connection for commands has broken")

    async def _report(self):
        try:
            answer = await self._reports.send("PUT", f"{self.id}/backends", self._secret, self._document)
        except Refused as refused:
            if refused.status != 401:
                raise
            registration = json.dumps({"secret_sha256": hashlib.sha256(self._secret.encode()).hexdigest()}).encode()
            await self._reports.send("PUT", self.id, self._token, registration)
            answer = await self._reports.send("PUT", f"{self.id}/backends", self._secret, self._document)
        if b'"accepted":false' in answer:
            raise OSError(answer.decode())

    async def _repeat(self, version):
        try:
            await self._reports.send("PUT", f"{self.id}/heartbeat?report={version}", self._secret)
        except Refused as refused:
            if refused.status != 409:
                raise
            await self._report()

    async def wait_for_commands(self):
        version = ""
        while True:
            if self.connected_at is None:
                await asyncio.sleep(0.05)
                continue
            try:
                path = f"{self.id}/commands?after={version}&wait={_POLL_SECONDS}"
                answer = await self._commands.send("GET", path, self._secret, timeout=_POLL_SECONDS + 4)
                version = json.loads(answer)["version"]
            except Exception:  # the reports name the reason
                self._broken.set()
                await asyncio.sleep(0.1)

    def traffic(self):
        """Returns (bytes, segments) of both connections."""
        pairs = (self._reports.traffic(), self._commands.traffic())
        return sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)

    def close(self):
        self._reports.close()
        self._commands.close()


def _backend(number):
    address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}:8080"
    return {"pool": "web", "address": address, "state": "up", "weight": 1, "weight_percent": 100}


class Crowd:
    """All agents. Use as an asynchronous context manager."""

    def __init__(self, node, count, backends, token):
        self.agents = [Agent(node, number, backends, token) for number in range(count)]
        self._tasks = []

    async def __aenter__(self):
        for agent in self.agents:
            self._tasks.append(asyncio.create_task(agent.report_forever()))
            self._tasks.append(asyncio.create_task(agent.wait_for_commands()))
        return self

    async def __aexit__(self, *_):
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for agent in self.agents:
            agent.close()

    def connected(self):
        return sum(agent.connected_at is not None for agent in self.agents)

    def last_errors(self):
        """Returns how many agents had which last error."""
        return dict(collections.Counter(agent.last_error for agent in self.agents if agent.connected_at is None))

    async def none_connected(self, seconds):
        """Waits until all agents have noticed that the node has ended; raises TimeoutError."""
        end = time.monotonic() + seconds
        while self.connected() > 0:
            if time.monotonic() > end:
                raise TimeoutError(f"{self.connected()} agents are still connected {seconds} s after the end of the node")
            await asyncio.sleep(0.05)

    async def all_connected(self, seconds):
        """Returns the time of the last accepted report when all agents are connected; raises TimeoutError."""
        end = time.monotonic() + seconds
        while self.connected() < len(self.agents):
            if time.monotonic() > end:
                raise TimeoutError(
                    f"{self.connected()} of {len(self.agents)} agents are connected after {seconds} s;"
                    f" errors: {self.last_errors()}"
                )
            await asyncio.sleep(0.02)
        return max(agent.connected_at for agent in self.agents)

    def traffic(self):
        """Returns the (bytes, segments) of each agent."""
        return [agent.traffic() for agent in self.agents]
