package io.ballast.http.forwarding;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.core.net.IpAddress;
import io.ballast.http.h1.wire.Heads;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForwardedClientTest {

    private static final String PEER = "";

    private final ForwardedClient client =
            new ForwardedClient(CidrSet.of(List.of(Cidr.parse("10.0.0.0/8"), Cidr.parse("fd00::/8"))));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1                            | 192.0.2.1",
                "198.51.100.1, 192.0.2.1              | 192.0.2.1",
                "198.51.100.1, 192.0.2.1, 10.0.0.1    | 192.0.2.1",
                "192.0.2.1,10.0.0.1,fd00::2           | 192.0.2.1",
                "10.0.0.1, 10.0.0.2                   | 10.0.0.1",
                "2001:db8::1                          | 2001:db8::1",
                "[2001:db8::1]:4711                   | 2001:db8::1",
                "[2001:db8::1]                        | 2001:db8::1",
                "192.0.2.1:4711                       | 192.0.2.1",
                "junk, 192.0.2.1                      | 192.0.2.1",
                "192.0.2.1, junk                      | ''",
                "192.0.2.1, unknown, 10.0.0.1         | ''",
                "junk, 10.0.0.1                       | ''",
                "192.0.2.1,                           | ''",
                "192.0.2.256                          | ''",
                "[::1                                 | ''",
                "'\"192.0.2.1\"'                      | 192.0.2.1"
            })
    void rightmostUntrustedAddressIsClient(String header, String expected) {
        assertThat(read("X-Forwarded-For: " + header)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "for=192.0.2.1                                      | 192.0.2.1",
                "For=\"192.0.2.1:80\";proto=https;by=10.0.0.1       | 192.0.2.1",
                "for=198.51.100.1, for=192.0.2.1, for=10.0.0.1      | 192.0.2.1",
                "proto=http; for=\"[2001:db8::1]:80\"               | 2001:db8::1",
                "for=192.0.2.1;host=\"a,b;for=198.51.100.1\"        | 192.0.2.1",
                "for=192.0.2.1;host=\"a\\\",for=198.51.100.1\"      | 192.0.2.1",
                "for=unknown                                        | ``",
                "for=_secret, for=10.0.0.1                          | ``",
                "for=192.0.2.1, proto=https                         | ``",
                "for=192.0.2.1;host=\"a                             | ``",
                "forx=192.0.2.1                                     | ``"
            })
    void usesForwardedWithoutXForwardedFor(String header, String expected) {
        assertThat(read("Forwarded: " + header)).isEqualTo(expected);
    }

    @Test
    void joinsSeveralLines() {
        assertThat(read("X-Forwarded-For: 192.0.2.1\r\nA: b\r\nX-Forwarded-For: 10.0.0.1"))
                .isEqualTo("192.0.2.1");
        assertThat(read("X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2, 10.0.0.1"))
                .isEqualTo("192.0.2.2");
        assertThat(read("Forwarded: for=192.0.2.9\r\nX-Forwarded-For: 192.0.2.1"))
                .isEqualTo("192.0.2.1");
    }

    @Test
    void stateIsResetForEachRequest() {
        read("X-Forwarded-For: 192.0.2.1");

        assertThat(read("A: b")).isEqualTo(PEER);
        assertThat(read("X-Forwarded-For: " + "1".repeat(100))).isEqualTo(PEER);
    }

    private String read(String lines) {
        client.read(Heads.request("GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n\r\n"));
        if (!client.isKnown()) {
            return PEER;
        }
        String text = new String(client.text(), 0, client.textLength(), StandardCharsets.US_ASCII);
        assertThat(IpAddress.of(client.bytes())).isEqualTo(IpAddress.parse(text));
        return text;
    }
}
