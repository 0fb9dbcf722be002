import io
import socket
import struct
import tempfile
import threading
import unittest
from pathlib import Path

from harness import many_names, transfers
from harness.transfers import In, Out
from harness.workplace import Failure


def message(answers, code=0):
    data = struct.pack(">HHHHHH", 0, 0x8000 | code, 1, answers, 0, 0) + b"\0" * 20
    return struct.pack(">H", len(data)) + data


class RawServer:
    """A server that sends these bytes to every client, and closes the connection."""

    def __init__(self, data):
        self._data = data
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        client, _ = self._socket.accept()
        with client:
            client.recv(512)
            client.sendall(self._data)
            client.recv(1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()


class TransferTest(unittest.TestCase):
    def test_all_records_and_the_second_soa_are_received(self):
        with RawServer(message(4) + message(2)) as server:
            self.assertGreater(transfers.transfer(server.port, 5), 0)

    def test_more_records_than_the_zone_has_are_a_failure(self):
        with RawServer(message(7)) as server, self.assertRaisesRegex(Failure, r"7 records received \(expected: 6\)"):
            transfers.transfer(server.port, 5)

    def test_a_refusal_is_a_failure(self):
        with self.assertRaisesRegex(Failure, "failed with REFUSED"):
            transfers._answers(io.BytesIO(message(0, code=5)))

    def test_a_truncated_transfer_is_a_failure(self):
        with self.assertRaisesRegex(Failure, "closed during a transfer"):
            transfers._answers(io.BytesIO(message(1)[:10]))


class ZoneTest(unittest.TestCase):
    def test_records_are_counted_and_the_serial_is_as_requested(self):
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "zone"

            self.assertEqual(many_names.write(file, 10, serial=7), 5 + 12)
            self.assertIn(" SOA ns1 hostmaster 7 3600 ", file.read_text())
            self.assertEqual(len(file.read_text().splitlines()), 2 + 5 + 12)


class TableTest(unittest.TestCase):
    def test_medians_and_the_highest_peak_are_shown(self):
        runs = [Out(2, 1, 0.5, 100_000_000, 0.1, 0.2, 3), Out(4, 1, 0.5, 300_000_000, 0.1, 0.4, 5), Out(3, 1, 0.5, 200_000_000, 0.1, 0.3, 4)]

        text = transfers.out_table({(1000, "knot"): runs})

        self.assertIn("| 1,000 names | knot | 3.00 | 1.00 | 0.50 | 300 | 0.10 | 0.30 | 4.0 |", text)

    def test_incoming_transfers_are_shown(self):
        text = transfers.in_table({(1000, "knot"): [In(1.25, 0.75, 100_000_000, 0.2, 9)]})

        self.assertIn("| 1,000 names | knot | 1.25 | 0.75 | 100 | 0.20 | 9.0 |", text)
