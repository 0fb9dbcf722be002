package io.ballast.http.serving;

import static io.ballast.http.serving.WrittenHead.KEEP;
import static io.ballast.http.serving.WrittenHead.connection;
import static io.ballast.http.serving.WrittenHead.head;
import static io.ballast.http.serving.WrittenHead.policies;
import static io.ballast.http.serving.WrittenHead.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.header.RouteHeaderEdits;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the headers that send the address, scheme and host of the client to backends. */
class RequestHeadForwardingTest {

    @Test
    void overwritesForwardedHeadersOfClient() {
        assertThat(write(
                        head(
                                "GET / HTTP/1.1",
                                "X-Forwarded-For: 1",
                                "Host: a:80",
                                "forwarded: for=1",
                                "X-Forwarded-Proto: https",
                                "X-Forwarded-Host: b",
                                "X-FORWARDED-PORT: 443"),
                        Forwarding.OVERWRITE,
                        KEEP,
                        "192.0.2.1"))
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a:80",
                        "Via: 1.1 ballast",
                        "X-Forwarded-For: 192.0.2.1",
                        "X-Forwarded-Proto: http",
                        "X-Forwarded-Port: 81",
                        "X-Forwarded-Host: a:80",
                        "Forwarded: for=192.0.2.1;proto=http;host=\"a:80\""));
    }

    @Test
    void sendsThreeHeadersByDefault() {
        String head = head("GET / HTTP/1.1", "Host: a", "Via: 1.0 b", "Forwarded: for=1", "X-Forwarded-Port: 2");
        String sent = head("GET / HTTP/1.1", "Host: a", "Via: 1.0 b");

        assertThat(write(head, Forwarding.OVERWRITE, ForwardingHeader.DEFAULT))
                .isEqualTo(sent.substring(0, sent.length() - 2)
                        + head("X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: http", "X-Forwarded-Host: a"));
        assertThat(write(head, Forwarding.OVERWRITE, EnumSet.of(ForwardingHeader.X_FORWARDED_PORT)))
                .isEqualTo(sent.substring(0, sent.length() - 2) + head("X-Forwarded-Port: 81"));
        assertThat(write(head, Forwarding.OVERWRITE, EnumSet.noneOf(ForwardingHeader.class)))
                .isEqualTo(sent);
    }

    @Test
    void quotesIpv6AddressesInForwarded() {
        assertThat(write("GET / HTTP/1.0\r\n\r\n", Forwarding.OVERWRITE, KEEP, "2001:db8::1"))
                .contains("\r\nX-Forwarded-For: 2001:db8:0:0:0:0:0:1\r\n")
                .contains("\r\nForwarded: for=\"[2001:db8:0:0:0:0:0:1]\";proto=http\r\n");
    }

    @Test
    void appendsToTrustedProxy() {
        assertThat(write(
                        head(
                                "GET / HTTP/1.1",
                                "Host: a",
                                "X-Forwarded-For: 1",
                                "Forwarded: for=1",
                                "X-Forwarded-Proto: https",
                                "X-Forwarded-Port: 443",
                                "X-Forwarded-Host: b",
                                "X-Forwarded-For: 2"),
                        Forwarding.APPEND,
                        KEEP,
                        "192.0.2.1"))
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Forwarded-Proto: https",
                        "X-Forwarded-Port: 443",
                        "X-Forwarded-Host: b",
                        "Via: 1.1 ballast",
                        "X-Forwarded-For: 1, 2, 192.0.2.1",
                        "Forwarded: for=1, for=192.0.2.1"));
    }

    @Test
    void silentProxyIsTreatedAsClient() {
        assertThat(write("GET / HTTP/1.1\r\nHost: a\r\n\r\n", Forwarding.APPEND, KEEP, "192.0.2.1"))
                .isEqualTo(write("GET / HTTP/1.1\r\nHost: a\r\n\r\n", Forwarding.OVERWRITE, KEEP, "192.0.2.1"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // Header from the proxy | values of the generated headers; empty if unknown.
                "X-Forwarded-Proto: https | For: 192.0.2.1 | | Host: a | for=192.0.2.1;proto=https",
                "X-Forwarded-Port: 443 | For: 192.0.2.1 | | Host: a | for=192.0.2.1",
                "X-Forwarded-Host: b:8 | For: 192.0.2.1 | | | for=192.0.2.1;host=\"b:8\"",
                "X-Forwarded-For: 198.51.100.7:99, ::1,x | For: 198.51.100.7:99, ::1,x, 192.0.2.1 | | Host: a"
                        + " | for=198.51.100.7, for=\"[::1]\", for=unknown, for=192.0.2.1",
                "Forwarded: for=\"[2001:db8::1]:5\";proto=https;host=\"b:8\" | For: 2001:db8::1, 192.0.2.1"
                        + " | Proto: https | Host: b:8 |",
                "Forwarded: for=1.2.3.4, proto=https;for=_x | For: 1.2.3.4, unknown, 192.0.2.1 | | Host: a |",
                "Forwarded: proto=https | For: unknown, 192.0.2.1 | Proto: https | Host: a |",
                "Forwarded: for=1.2.3.4;host=\"b | For: unknown, 192.0.2.1 | | Host: a |",
                "Forwarded: for=1.2.3.4;host=\"b\\\"c\";proto=\"a b\" | For: 1.2.3.4, 192.0.2.1 | | Host: a |",
            })
    void derivesOrOmitsMissingProxyHeaders(String sent, String addresses, String proto, String host, String forwarded) {
        String written =
                write("GET / HTTP/1.1\r\nHost: a\r\n" + sent + "\r\n\r\n", Forwarding.APPEND, KEEP, "192.0.2.1");

        String own = sent.startsWith("X-Forwarded-For") || sent.startsWith("Forwarded") ? "" : sent + "\r\n";
        String output = forwarded == null ? sent.substring(sent.indexOf(' ') + 1) + ", for=192.0.2.1" : forwarded;
        assertThat(written)
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\n" + own + "Via: 1.1 ballast\r\n" + line(addresses)
                        + line(proto) + line(host) + "Forwarded: " + output + "\r\n\r\n");
    }

    private static String line(@Nullable String line) {
        return line == null ? "" : "X-Forwarded-" + line + "\r\n";
    }

    @Test
    void contradictoryProxyHeadersAreForwardedUnchanged() {
        String written = write(
                head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Forwarded-Proto: https",
                        "Forwarded: for=1.2.3.4;proto=http",
                        "X-Forwarded-For:"),
                Forwarding.APPEND,
                ForwardingHeader.DEFAULT);

        assertThat(written)
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Forwarded-Proto: https",
                        "X-Forwarded-For: 1.2.3.4, 192.0.2.1",
                        "X-Forwarded-Host: a",
                        "Forwarded: for=1.2.3.4;proto=http, for=192.0.2.1"));
    }

    @Test
    void eachHeaderHasOwnPolicy() {
        String sent = head(
                "GET / HTTP/1.1",
                "Host: a",
                "X-Forwarded-For: 198.51.100.7",
                "X-Forwarded-Proto: https",
                "X-Forwarded-Host: b",
                "X-Forwarded-Port: 443",
                "Forwarded: for=198.51.100.7;proto=https");

        assertThat(write(
                        sent,
                        policies(Map.of(
                                ForwardingHeader.X_FORWARDED_FOR, Forwarding.APPEND,
                                ForwardingHeader.X_FORWARDED_PORT, Forwarding.OFF))))
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Forwarded-Port: 443",
                        "Via: 1.1 ballast",
                        "X-Forwarded-For: 198.51.100.7, 192.0.2.1",
                        "X-Forwarded-Proto: http",
                        "X-Forwarded-Host: a",
                        "Forwarded: for=192.0.2.1;proto=http;host=\"a\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-Proto: https",
                "X_Forwarded_Proto: https",
                "Forwarded: proto=https",
                "X-Forwarded-For: 198.51.100.7",
                "X-Forwarded-For:"
            })
    void overwrittenProtoIgnoresOtherHeaders(String line) {
        String written = write(
                head("GET / HTTP/1.1", "Host: a", line),
                policies(Map.of(ForwardingHeader.X_FORWARDED_FOR, Forwarding.APPEND)));

        assertThat(written).contains("\r\nX-Forwarded-Proto: http\r\n").doesNotContain("https");
    }

    @Test
    void untrustedHeaderIsNotUsed() {
        String written = write(
                head("GET / HTTP/1.1", "Host: a", "Forwarded: for=198.51.100.7;proto=https;host=b"),
                policies(Map.of(
                        ForwardingHeader.X_FORWARDED_FOR, Forwarding.APPEND,
                        ForwardingHeader.X_FORWARDED_PROTO, Forwarding.APPEND,
                        ForwardingHeader.X_FORWARDED_HOST, Forwarding.APPEND)));

        assertThat(written)
                .contains("\r\nX-Forwarded-For: 192.0.2.1\r\n")
                .contains("\r\nX-Forwarded-Proto: http\r\n")
                .contains("\r\nX-Forwarded-Host: a\r\n")
                .contains("\r\nForwarded: for=192.0.2.1;proto=http;host=\"a\"\r\n")
                .doesNotContain("198.51.100.7");
    }

    @Test
    void unsentOverwrittenHeaderIsRemoved() {
        String written = write(
                head("GET / HTTP/1.1", "Host: a", "X-Forwarded-For: 198.51.100.7", "X-Forwarded-Proto: https"),
                new ForwardingPolicies(
                        Forwarding.OVERWRITE, Map.of(ForwardingHeader.X_FORWARDED_FOR, Forwarding.APPEND)),
                EnumSet.of(ForwardingHeader.X_FORWARDED_FOR),
                RouteHeaderEdits.NONE,
                connection("192.0.2.1", /* http2= */ false),
                CidrSet.EMPTY);

        assertThat(written).isEqualTo(head("GET / HTTP/1.1", "Host: a", "X-Forwarded-For: 198.51.100.7, 192.0.2.1"));
    }

    @ParameterizedTest
    @CsvSource({
        "'198.51.100.7, 192.0.2.9', 198.51.100.7, 198.51.100.7",
        "2001:db8::7, 2001:db8::7, '\"[2001:db8::7]\"'",
        "unknown, 192.0.2.1, 192.0.2.1"
    })
    void overwrittenHeadersContainClientOfTrustedProxy(String sent, String address, String node) {
        String written = write(
                head("GET / HTTP/1.1", "Host: a", "X-Forwarded-For: " + sent, "X-Forwarded-Proto: https"),
                policies(Map.of(
                        ForwardingHeader.X_FORWARDED_FOR, Forwarding.OVERWRITE,
                        ForwardingHeader.FORWARDED, Forwarding.OVERWRITE)),
                EnumSet.allOf(ForwardingHeader.class),
                RouteHeaderEdits.NONE,
                connection("192.0.2.1", /* http2= */ false),
                CidrSet.of(List.of(Cidr.parse("192.0.2.0/24"))));

        assertThat(written)
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Forwarded-Proto: https",
                        "Via: 1.1 ballast",
                        "X-Forwarded-Host: a",
                        "X-Forwarded-For: " + address,
                        "Forwarded: for=" + node + ";proto=http;host=\"a\""));
    }

    @Test
    void appendAppliesToTrustedProxiesOnly() {
        String written = write(
                head("GET / HTTP/1.1", "Host: a", "X-Forwarded-For: 198.51.100.7", "X-Forwarded-Port: 443"),
                policies(Map.of(
                        ForwardingHeader.X_FORWARDED_FOR, Forwarding.APPEND,
                        ForwardingHeader.X_FORWARDED_PORT, Forwarding.OFF)),
                EnumSet.of(ForwardingHeader.X_FORWARDED_FOR),
                RouteHeaderEdits.NONE,
                connection("192.0.2.1", /* http2= */ false),
                CidrSet.of(List.of(Cidr.parse("10.0.0.0/8"))));

        assertThat(written)
                .isEqualTo(head("GET / HTTP/1.1", "Host: a", "X-Forwarded-Port: 443", "X-Forwarded-For: 192.0.2.1"));
    }

    @Test
    void viaHasReceivedVersion() {
        String one = head("GET / HTTP/1.1", "Host: a");
        String zero = head("GET / HTTP/1.0", "Host: a");
        Set<ForwardingHeader> via = EnumSet.of(ForwardingHeader.VIA);

        assertThat(write(one, Forwarding.OVERWRITE, via)).contains("\r\nVia: 1.1 ballast\r\n");
        assertThat(write(zero, Forwarding.OVERWRITE, via)).contains("\r\nVia: 1.0 ballast\r\n");
        assertThat(write(
                        one,
                        ForwardingPolicies.DEFAULT,
                        via,
                        RouteHeaderEdits.NONE,
                        connection("192.0.2.1", /* http2= */ true),
                        CidrSet.EMPTY))
                .contains("\r\nVia: 2 ballast\r\n");
    }
}
