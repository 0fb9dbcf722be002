import struct
import unittest

from harness import dns_wire
from harness.dns_wire import Malformed, Record

# A response of Knot: MX of mixed.bench.example, whose exchange is compressed, and an OPT record.
_HEADER = struct.pack(">6H", 7, 0x8500, 1, 1, 0, 1)
_QUESTION = b"\5MiXed\5bench\7example\0" + struct.pack(">2H", 15, 1)
_MX = b"\xc0\x0c" + struct.pack(">HHIH", 15, 1, 300, 9) + b"\0\x0a\4MAIL\xc0\x12"
_OPT = b"\0" + struct.pack(">HHIH", 41, 1232, 1 << 24, 0)


class ParseTest(unittest.TestCase):
    def test_names_in_data_are_decompressed_and_in_lower_case(self):
        message = dns_wire.parse(_HEADER + _QUESTION + _MX + _OPT)

        self.assertEqual(message.flags, ("qr", "aa", "rd"))
        self.assertEqual(message.answer, (Record("mixed.bench.example.", "MX", 300, "000a mail.bench.example."),))
        self.assertEqual(message.additional, ())
        self.assertEqual(message.edns_size, 1232)
        self.assertFalse(message.edns_do)

    def test_the_question_keeps_its_case(self):
        self.assertEqual(dns_wire.parse(_HEADER + _QUESTION + _MX + _OPT).question, _QUESTION)

    def test_the_opt_record_has_the_upper_bits_of_the_rcode(self):
        self.assertEqual(dns_wire.parse(_HEADER + _QUESTION + _MX + _OPT).rcode, "BADVERS")

    def test_every_shorter_message_is_malformed(self):
        whole = _HEADER + _QUESTION + _MX + _OPT
        for length in range(len(whole)):
            with self.subTest(length), self.assertRaises(Malformed):
                dns_wire.parse(whole[:length])

    def test_bytes_after_the_end_are_malformed(self):
        with self.assertRaisesRegex(Malformed, "1 bytes after its end"):
            dns_wire.parse(_HEADER + _QUESTION + _MX + _OPT + b"\0")

    def test_pointer_loops_are_malformed(self):
        with self.assertRaisesRegex(Malformed, "loop"):
            dns_wire.parse(struct.pack(">6H", 7, 0x8000, 1, 0, 0, 0) + b"\xc0\x0c" + struct.pack(">2H", 1, 1))


class QuestionTest(unittest.TestCase):
    def test_a_query_can_be_parsed(self):
        data = dns_wire.question("A.b.Example", "TYPE65280", number=9, edns_size=1232, dnssec=True)

        message = dns_wire.parse(data)

        self.assertEqual((message.id, message.edns_size, message.edns_do), (9, 1232, True))
        self.assertEqual(message.question, b"\1A\1b\7Example\0\xff\0\0\1")

    def test_escapes_encode_bytes(self):
        self.assertEqual(dns_wire.encode_name(r"a\.b\000c.d\046"), b"\5a.b\0c\2d.\0")
        self.assertEqual(dns_wire.encode_name("."), b"\0")
        self.assertEqual(dns_wire.encode_name(r"a\."), b"\2a.\0")
