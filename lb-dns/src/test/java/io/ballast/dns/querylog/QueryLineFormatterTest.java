package io.ballast.dns.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import io.ballast.dns.config.DnsQueryLogConfig.Format;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class QueryLineFormatterTest {

    private static final AnsweredQuery QUERY = new AnsweredQuery(
            1_700_000_000_123L, "", "udp", "a\\\"b.example", "A", "NOERROR", Outcome.HIT, "list one", 1_002, 45);

    @Test
    void writesJson() {
        assertThat(line(Format.JSON))
                .isEqualTo("{\"time\":\"2023-11-14T22:13:20.123Z\",\"client\":null,\"transport\":\"udp\","
                        + "\"name\":\"a\\\\\\\"b.example\",\"type\":\"A\",\"rcode\":\"NOERROR\",\"outcome\":\"hit\","
                        + "\"by\":\"list one\",\"total_ms\":1.002,\"bytes_out\":45}\n");
    }

    @Test
    void writesText() {
        assertThat(line(Format.TEXT))
                .isEqualTo("2023-11-14T22:13:20.123Z - udp a\\\"b.example A NOERROR hit list_one 1.002ms 45\n");
    }

    @Test
    void escapesNames() {
        assertThat(NameText.of(wire("\3a.\n\7example\0"), 0)).isEqualTo("a\\.\\010.example");
        assertThat(NameText.of(wire("\1\377\0"), 0)).isEqualTo("\\255");
        assertThat(NameText.of(wire("\0"), 0)).isEqualTo(".");
    }

    @Test
    void anonymizedClientsAreNetworks() {
        assertThat(text(Clients.FULL, 192, 0, 2, 77)).isEqualTo("192.0.2.77");
        assertThat(text(Clients.ANONYMOUS, 192, 0, 2, 77)).isEqualTo("192.0.2.0");
        assertThat(text(Clients.NONE, 192, 0, 2, 77)).isEmpty();
        assertThat(text(Clients.ANONYMOUS, 0x20, 1, 0xd, 0xb8, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6))
                .isEqualTo("2001:db8:1::");
    }

    private static String text(Clients clients, int... address) {
        byte[] bytes = new byte[ClientAnonymizer.MAX_BYTES];
        for (int i = 0; i < address.length; i++) {
            bytes[i] = (byte) address[i];
        }
        return new ClientAnonymizer(clients).anonymizedText(bytes, address.length);
    }

    private static byte[] wire(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String line(Format format) {
        StringBuilder line = new StringBuilder();
        new QueryLineFormatter(format).append(QUERY, line);
        return line.toString();
    }
}
