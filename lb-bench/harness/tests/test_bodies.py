import hashlib
import unittest

from harness import bodies

SIZE = 3 * bodies.PIECE + 17


class BodiesTest(unittest.TestCase):
    def test_pieces_have_the_requested_size_and_differ(self):
        pieces = list(bodies.Pieces(SIZE))

        self.assertEqual(sum(map(len, pieces)), SIZE)
        self.assertEqual(len(set(pieces)), len(pieces))

    def test_the_digest_matches_the_bytes(self):
        pieces = bodies.Pieces(SIZE)

        self.assertEqual(hashlib.blake2b(b"".join(pieces)).hexdigest(), pieces.digest())

    def test_bytes_are_transferred_with_both_framings(self):
        with bodies.BigBackend(SIZE, stall_seconds=0) as backend:
            for chunked in (False, True):
                with self.subTest(chunked=chunked):
                    self.assertEqual(bodies.download(backend.port, SIZE, 0, chunked), (SIZE, True))
                    self.assertEqual(bodies.upload(backend.port, SIZE, chunked), (SIZE, True))
            backend.shutdown()

    def test_a_changed_byte_is_detected(self):
        with bodies.BigBackend(SIZE + 1, stall_seconds=0) as backend:
            self.assertEqual(bodies.download(backend.port, SIZE, 0, False), (SIZE + 1, False))
            backend.shutdown()
