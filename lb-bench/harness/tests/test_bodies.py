import hashlib
import unittest

from harness import bodies

SIZE = 3 * bodies.PIECE + 17


class BodiesTest(unittest.TestCase):
    def test_pieces_are_as_many_bytes_as_asked_for_and_differ(self):
        pieces = list(bodies.Pieces(SIZE))

        self.assertEqual(sum(map(len, pieces)), SIZE)
        self.assertEqual(len(set(pieces)), len(pieces))

    def test_the_digest_is_that_of_the_bytes(self):
        pieces = bodies.Pieces(SIZE)

        self.assertEqual(hashlib.blake2b(b"".join(pieces)).hexdigest(), pieces.digest())

    def test_bytes_come_and_go_in_both_framings(self):
        with bodies.BigBackend(SIZE, stall_seconds=0) as backend:
            for chunked in (False, True):
                with self.subTest(chunked=chunked):
                    self.assertEqual(bodies.download(backend.port, SIZE, 0, chunked), (SIZE, True))
                    self.assertEqual(bodies.upload(backend.port, SIZE, chunked), (SIZE, True))
            backend.shutdown()

    def test_a_changed_byte_is_noticed(self):
        with bodies.BigBackend(SIZE + 1, stall_seconds=0) as backend:
            self.assertEqual(bodies.download(backend.port, SIZE, 0, False), (SIZE + 1, False))
            backend.shutdown()
