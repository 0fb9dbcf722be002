package io.ballast.net.proxyprotocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.IpAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderTest {

    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";
    private static final String TCP4 = "cb007101 c0000201 1267 0035";
    private static final String TCP6 = "20010db8000000000000000000000001 20010db8000000000000000000000002 1267 0035";

    @ParameterizedTest
    @CsvSource({
        "'PROXY TCP4 203.0.113.1 192.0.2.1 4711 53', 203.0.113.1",
        "'PROXY TCP6 2001:db8::1 2001:db8::2 4711 53', 2001:db8::1",
        "'PROXY TCP6 ::ffff:203.0.113.1 ::1 4711 53', 203.0.113.1",
    })
    void readsTextWithWhatFollowsIt(String line, String address) {
        byte[] bytes = ascii(line + "\r\nrest");

        ProxyHeader header = ProxyHeader.read(bytes, bytes.length);

        assertThat(header.bytes()).isEqualTo(bytes.length - 4);
        assertThat(header.client()).contains(new ProxyHeader.Endpoint(IpAddress.parse(address), 4711));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROXY UNKNOWN\r\n", "PROXY UNKNOWN ffff::1 whatever 1 2\r\n"})
    void acceptsUnknownProtocol(String line) {
        ProxyHeader header = ProxyHeader.read(ascii(line), line.length());

        assertThat(header.client()).isEmpty();
        assertThat(header.bytes()).isEqualTo(line.length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 203.0.113.1 192.0.2.1 4711\r\n",
                "PROXY TCP4 203.0.113.1 192.0.2.1 4711 53 \r\n",
                "PROXY  TCP4 203.0.113.1 192.0.2.1 4711 53\r\n",
                "PROXY TCP4 203.0.113.1 192.0.2.1 04711 53\r\n",
                "PROXY TCP4 203.0.113.1 192.0.2.1 65536 53\r\n",
                "PROXY TCP4 203.0.113.1 192.0.2.1 4711 -1\r\n",
                "PROXY TCP4 203.0.113.256 192.0.2.1 4711 53\r\n",
                "PROXY TCP4 2001:db8::1 2001:db8::2 4711 53\r\n",
                "PROXY TCP6 203.0.113.1 192.0.2.1 4711 53\r\n",
                "PROXY UNIX 203.0.113.1 192.0.2.1 4711 53\r\n",
                "PROXY UNKNOWNS\r\n",
                "PROXY\r\n",
                "PRAXY TCP4",
                "P\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "\r\n\r\n\0\r\nQUIT\r",
            })
    void rejectsInvalidVersion1(String text) {
        assertThatThrownBy(() -> ProxyHeader.read(ascii(text), text.length()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rejectsUnterminatedLine() {
        byte[] line = new byte[107];
        Arrays.fill(line, (byte) ' ');
        System.arraycopy(ascii("PROXY TCP4 "), 0, line, 0, 11);

        assertThat(ProxyHeader.read(line, 106)).isNull();
        assertThatThrownBy(() -> ProxyHeader.read(line, 107)).hasMessageContaining("at most 107");
    }

    @ParameterizedTest
    @CsvSource({
        "21 11 000c " + TCP4 + ", 203.0.113.1",
        "21 21 0024 " + TCP6 + ", 2001:db8::1",
        "21 11 0012 " + TCP4 + " 010003 6f7474, 203.0.113.1",
    })
    void readsBinary(String hex, String address) {
        byte[] bytes = binary(hex + "ffff");

        ProxyHeader header = ProxyHeader.read(bytes, bytes.length);

        assertThat(header.bytes()).isEqualTo(bytes.length - 2);
        assertThat(header.client()).contains(new ProxyHeader.Endpoint(IpAddress.parse(address), 0x1267));
    }

    @ParameterizedTest
    @ValueSource(strings = {"20 00 0000", "20 11 000c" + TCP4, "21 00 0000", "21 00 0003 010203", "20 ff 0001 ff"})
    void localAndUnspecifiedHaveNoClient(String hex) {
        byte[] bytes = binary(hex);

        ProxyHeader header = ProxyHeader.read(bytes, bytes.length);

        assertThat(header.bytes()).isEqualTo(bytes.length);
        assertThat(header.client()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "11 11 000c " + TCP4, // unknown version
                "22 11 000c " + TCP4, // unknown command
                "21 12 000c " + TCP4, // UDP
                "21 31 00d8", // Unix socket
                "21 11 000b cb007101c00002011267 00", // too short for its addresses
                "21 11 000e " + TCP4 + " 0100", // half a TLV
                "21 11 0010 " + TCP4 + " 01000200", // a TLV that is longer than the header
                "21 11 0013 " + TCP4 + " 030004 00000000", // a wrong checksum
                "21 11 0010 " + TCP4 + " 030001 00", // a checksum of one byte
                "21 11 1000 " + TCP4, // too long
            })
    void rejectsInvalidVersion2(String hex) {
        byte[] bytes = binary(hex);

        assertThatThrownBy(() -> ProxyHeader.read(bytes, bytes.length)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acceptsValidChecksum() {
        byte[] bytes = binary("21 11 0013 " + TCP4 + " 030004 00000000");
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        for (int i = 0; i < 4; i++) {
            bytes[bytes.length - 4 + i] = (byte) (crc.getValue() >>> (24 - 8 * i));
        }

        assertThat(ProxyHeader.read(bytes, bytes.length).client()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "50524f585920544350342032303" + "32e302e3131332e31203139322e302e322e312034373131203533" + "0d0a",
                SIGNATURE + "21 21 0024 " + TCP6,
            })
    void needsMoreBytesUntilHeaderIsComplete(String hex) {
        byte[] bytes = bytes(hex);
        for (int length = 0; length < bytes.length; length++) {
            assertThat(ProxyHeader.read(bytes, length))
                    .as("after %s bytes", length)
                    .isNull();
        }
        assertThat(ProxyHeader.read(bytes, bytes.length)).isNotNull();
    }

    @Test
    void anyBytesAreHeaderPrefixOrError() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] valid = binary("21 11 0013 " + TCP4 + " 010004 01020304");
        for (int round = 0; round < 100_000; round++) {
            byte[] bytes = valid.clone();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int length = random.nextInt(bytes.length + 1);
            try {
                ProxyHeader header = ProxyHeader.read(bytes, length);
                assertThat(header == null || header.bytes() <= length).isTrue();
            } catch (IllegalArgumentException expected) {
                assertThat(expected).hasMessageContaining("expected: ");
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] binary(String hex) {
        return bytes(SIGNATURE + hex);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }
}
