"""A client of a virtual address: sends an HTTP request and a DNS query every few milliseconds, each on a socket of its own, and prints
a line for each result. Run it as a program on the client's host."""

import json
import socket
import sys
import threading
import time

from harness import dns_wire

_SECONDS_BETWEEN = 0.05
_TIMEOUT = 0.4


def _http(address):
    with socket.create_connection((address, 80), timeout=_TIMEOUT) as client:
        client.settimeout(_TIMEOUT)
        client.sendall(b"GET / HTTP/1.1\r\nHost: www.edge.example\r\nConnection: close\r\n\r\n")
        head = b""
        while b"\r\n" not in head:
            piece = client.recv(4096)
            if not piece:
                raise ConnectionError("closed before the response")
            head += piece
    return head.split(b" ", 2)[1].decode()


def _dns(address, name):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(_TIMEOUT)
        client.connect((address, 53))  # a response from another address would not be received
        client.send(dns_wire.question(name, "A"))
        message = dns_wire.parse(client.recv(65535))
    return sorted(record.data for record in message.answer)


def _repeat(kind, attempt, seconds, lock):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begin = time.monotonic()
        try:
            result, failure = attempt(), None
        except (OSError, dns_wire.Malformed) as error:
            result, failure = None, f"{type(error).__name__}: {error}"
        with lock:
            print(json.dumps({"kind": kind, "at": time.time(), "result": result, "failure": failure}), flush=True)
        time.sleep(max(0.0, begin + _SECONDS_BETWEEN - time.monotonic()))


def main():
    address, name, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    lock = threading.Lock()
    attempts = {"http": lambda: _http(address), "dns": lambda: _dns(address, name)}
    threads = [threading.Thread(target=_repeat, args=(kind, attempt, seconds, lock)) for kind, attempt in attempts.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
