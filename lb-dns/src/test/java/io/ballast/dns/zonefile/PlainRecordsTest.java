package io.ballast.dns.zonefile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Compares the fast record parser with dnsjava's tokenizer, which handles all other cases. */
class PlainRecordsTest {

    private static final Name OWNER = Name.fromConstantString("a.example.com.");
    private static final Name ORIGIN = Name.fromConstantString("example.com.");
    private static final List<Integer> TYPES =
            List.of(Type.A, Type.NS, Type.CNAME, Type.DNAME, Type.PTR, Type.SOA, Type.AAAA, Type.TXT);

    private static final List<String> WORDS = List.of(
            "192.0.2.1",
            "0.0.0.0",
            "255.255.255.255",
            "256.1.1.1",
            "1.2.3",
            "1.2.3.4.5",
            "01.2.3.4",
            "1.2.3.04",
            "1..2.3",
            "1.2.3.4.",
            ".1.2.3",
            "1.2.3.0x4",
            "www",
            "www.example.net.",
            "WwW.Sub",
            "@",
            ".",
            "..",
            "a..b",
            "a\\.b",
            "a\\046b",
            "*",
            "*.x",
            "_s._tcp",
            "-",
            "0",
            "1",
            "4294967295",
            "4294967296",
            "2147483648",
            "00",
            "+1",
            "1h",
            "1H30m",
            "\"www\"",
            "\"1.2.3.4\"",
            "\u00e4",
            "x".repeat(63),
            "x".repeat(64),
            "$x",
            "",
            "\\# 4 01020304");

    private final DataReader reader = new DataReader();

    private static ZoneFileEntry entry(String data) throws IOException, MalformedEntryException {
        ZoneFileEntry entry = new ZoneFileEntry();
        byte[] line = ("a " + data + "\n").getBytes(StandardCharsets.ISO_8859_1);
        try (EntryReader lines = new EntryReader(new ByteArrayInputStream(line))) {
            lines.read(entry);
        }
        return entry;
    }

    private @Nullable Record expected(int type, ZoneFileEntry entry) {
        try {
            return reader.read(OWNER, type, 300, entry, 1, ORIGIN);
        } catch (MalformedEntryException e) {
            return null;
        }
    }

    private boolean isRead(int type, String data) throws IOException, MalformedEntryException {
        ZoneFileEntry entry = entry(data);
        Record plain = PlainRecords.read(OWNER, type, 300, entry, 1, ORIGIN);
        if (plain != null) {
            Record expected = expected(type, entry);
            assertThat(expected).as("%s %s", Type.string(type), data).isNotNull();
            assertThat(plain.toWire(Section.ANSWER))
                    .as("%s %s", Type.string(type), data)
                    .isEqualTo(expected.toWire(Section.ANSWER));
        }
        return plain != null;
    }

    @Test
    void matchesTokenizerOrDefersToIt() throws IOException, MalformedEntryException {
        for (int type : TYPES) {
            for (String word : WORDS) {
                isRead(type, word);
                isRead(type, word + " " + word);
            }
        }
    }

    @Test
    void soaMatchesTokenizerOrDefersToIt() throws IOException, MalformedEntryException {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder data = new StringBuilder();
            for (int word = 0; word < 7; word++) {
                boolean isUsual = random.nextInt(8) > 0;
                String usual = word < 2 ? "ns1.x" : String.valueOf(random.nextLong(1L << 33));
                data.append(isUsual ? usual : WORDS.get(random.nextInt(WORDS.size())))
                        .append(' ');
            }
            isRead(Type.SOA, data.toString());
        }
    }

    @Test
    void commonRecordsAvoidTokenizer() throws IOException, MalformedEntryException {
        assertThat(isRead(Type.A, "192.0.2.1")).isTrue();
        assertThat(isRead(Type.NS, "ns1")).isTrue();
        assertThat(isRead(Type.CNAME, "www.example.net.")).isTrue();
        assertThat(isRead(Type.SOA, "ns1 hostmaster 2026112601 3600 600 86400 300"))
                .isTrue();
    }
}
