package io.ballast.http.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HostHeader;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.core.testing.Backends;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.forwarding.ForwardingRules;
import io.ballast.http.forwarding.PeerConnection;
import io.ballast.http.h1.wire.Heads;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.header.RouteHeaderEdits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestHeadWriterTest {

    private static final HostHeader KEEP = new HostHeader.Keep();
    private static final String BACKEND = "10.0.0.1:8080";

    @Test
    void endToEndFieldsAreUnchanged() {
        String head = "GET /a/../%2F//b?c HTTP/1.1\r\nhOST: A:80\r\nX:  y \t\r\nx: y\r\nCookie: \u00e4\r\nX: \r\n\r\n";

        assertThat(write(head)).isEqualTo(head);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Connection: close",
                "connection:",
                "Keep-Alive: timeout=5",
                "Proxy-Connection: keep-alive",
                "Proxy-Authenticate: Basic",
                "PROXY-AUTHORIZATION: Basic x",
                "TE: gzip",
                "TE: trailers, gzip",
                "Upgrade: websocket"
            })
    void hopByHopFieldsAreRemoved(String line) {
        assertThat(write("GET / HTTP/1.1\r\n" + line + "\r\nHost: a\r\n" + line + "\r\nX: y\r\n" + line + "\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n");
    }

    @Test
    void fieldsNamedByConnectionAreRemovedExceptFraming() {
        assertThat(write(head(
                        "PUT / HTTP/1.1",
                        "Host: a",
                        "Foo: 1",
                        "Connection: foo, host,content-length",
                        "Bar: 2",
                        "Content-Length: 5",
                        "connection: BAR, x-forwarded-for, via, expect, trailer",
                        "X-Forwarded-For: b",
                        "Via: c",
                        "Expect: 100-continue",
                        "Trailer: t",
                        "baz: 3")))
                .isEqualTo(head(
                        "PUT / HTTP/1.1",
                        "Host: a",
                        "Content-Length: 5",
                        "X-Forwarded-For: b",
                        "Via: c",
                        "Expect: 100-continue",
                        "Trailer: t",
                        "baz: 3"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length:\\t5\\t | Content-Length:5",
                "Content-Length: 5 \\t | Content-Length: 5",
                "content-length:  0005 | content-length: 5",
                "Content-Length: 000 | Content-Length: 0",
                "Transfer-Encoding: chunked\\t | Transfer-Encoding: chunked",
                "Transfer-Encoding: \\tCHUNKED | Transfer-Encoding: chunked",
                "Trailer: \\tX | Trailer: X",
                "Expect:100-continue\\t | Expect:100-continue"
            })
    void framingFieldsAreCanonical(String line, String written) {
        assertThat(write("PUT / HTTP/1.1\r\nHost:\ta \r\n" + line.replace("\\t", "\t") + "\r\nX:\t0 \r\n\r\n"))
                .isEqualTo("PUT / HTTP/1.1\r\nHost:a\r\n" + written + "\r\nX:\t0 \r\n\r\n");
    }

    @Test
    void onlyTrailersOfTeIsKept() {
        assertThat(write("GET / HTTP/1.1\r\nTE: trailers\r\nHost: a\r\nTE: gzip\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nTE: trailers\r\nHost: a\r\nConnection: TE\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "GET http://b:80/c?d HTTP/1.1, GET /c?d HTTP/1.1, b:80",
        "GET http://b HTTP/1.1, GET / HTTP/1.1, b",
        "GET HTTP://b?d HTTP/1.1, GET /?d HTTP/1.1, b",
        "OPTIONS http://b HTTP/1.1, OPTIONS * HTTP/1.1, b",
        "OPTIONS http://b?d HTTP/1.1, OPTIONS /?d HTTP/1.1, b"
    })
    void absoluteTargetBecomesPathAndHost(String line, String expectedLine, String expectedHost) {
        assertThat(write(line + "\r\nHost: a\r\nX: y\r\n\r\n"))
                .isEqualTo(expectedLine + "\r\nX: y\r\nHost: " + expectedHost + "\r\n\r\n");
    }

    @Test
    void http10BecomesHttp11WithHost() {
        assertThat(write("GET / HTTP/1.0\r\nX: y\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nX: y\r\nHost: " + BACKEND + "\r\n\r\n");
        assertThat(write("GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }

    @Test
    void rewritesConfiguredHost() {
        String head = "GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n\r\n";

        assertThat(write(head, Forwarding.OFF, new HostHeader.OfBackend(), "192.0.2.1"))
                .isEqualTo("GET / HTTP/1.1\r\nX: y\r\nHost: " + BACKEND + "\r\n\r\n");
        assertThat(write(head, Forwarding.OFF, new HostHeader.Fixed("c.example"), "192.0.2.1"))
                .isEqualTo("GET / HTTP/1.1\r\nX: y\r\nHost: c.example\r\n\r\n");
    }

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
        String said = forwarded == null ? sent.substring(sent.indexOf(' ') + 1) + ", for=192.0.2.1" : forwarded;
        assertThat(written)
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\n" + own + "Via: 1.1 ballast\r\n" + line(addresses)
                        + line(proto) + line(host) + "Forwarded: " + said + "\r\n\r\n");
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

    @Test
    void rulesRemoveAndAppendLines() {
        HeaderChanges changes = new HeaderChanges(
                List.of(new HeaderField("X-Set", HeaderValue.parse("a $host b"))),
                List.of(new HeaderField("X-Add", HeaderValue.parse("$request_id"))),
                List.of("accept", "X-Gone"));
        RouteHeaderEdits edits =
                RouteHeaderEdits.compile(List.of(new HeaderRules(changes, HeaderChanges.NONE)), new HostHeader.Keep());

        assertThat(write(
                        head(
                                "GET / HTTP/1.1",
                                "x-set: theirs",
                                "Host: a",
                                "Accept: */*",
                                "X-Add: theirs",
                                "X-Set: again",
                                "x-gone: 1",
                                "X-Gone-Not: 2"),
                        Forwarding.OFF,
                        edits,
                        "192.0.2.1"))
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Add: theirs",
                        "X-Gone-Not: 2",
                        "X-Set: a <host> b",
                        "X-Add: <request_id>"));
    }

    @Test
    void ruleNamesMatchHyphensAndUnderscores() {
        HeaderChanges changes = new HeaderChanges(
                List.of(new HeaderField("X_Set_by-us", HeaderValue.parse("1"))),
                List.of(new HeaderField("X-Add", HeaderValue.parse("2"))),
                List.of("x-gone"));
        RouteHeaderEdits edits =
                RouteHeaderEdits.compile(List.of(new HeaderRules(changes, HeaderChanges.NONE)), new HostHeader.Keep());

        assertThat(write(
                        head(
                                "GET / HTTP/1.1",
                                "X-Set-By-Us: theirs",
                                "Host: a",
                                "X-Add: theirs",
                                "X_Add: twin",
                                "x_GONE: twin",
                                "X_Gone_Not: 3",
                                "XxGone: 4"),
                        Forwarding.OFF,
                        edits,
                        "192.0.2.1"))
                .isEqualTo(head(
                        "GET / HTTP/1.1",
                        "Host: a",
                        "X-Add: theirs",
                        "X_Gone_Not: 3",
                        "XxGone: 4",
                        "X_Set_by-us: 1",
                        "X-Add: 2"));
    }

    private static String head(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    private static String write(String head) {
        return write(head, Forwarding.OFF, KEEP, "192.0.2.1");
    }

    private static String write(String head, Forwarding forwarding, HostHeader host, String client) {
        return write(head, forwarding, RouteHeaderEdits.compile(List.of(), host), client);
    }

    private static String write(String head, Forwarding forwarding, Set<ForwardingHeader> headers) {
        return write(head, forwarding, headers, RouteHeaderEdits.NONE, "192.0.2.1");
    }

    private static String write(String head, Forwarding forwarding, RouteHeaderEdits edits, String client) {
        return write(head, forwarding, EnumSet.allOf(ForwardingHeader.class), edits, client);
    }

    private static ForwardingPolicies policies(Map<ForwardingHeader, Forwarding> named) {
        return new ForwardingPolicies(Forwarding.OVERWRITE, named);
    }

    private static String write(String head, ForwardingPolicies policies) {
        return write(
                head,
                policies,
                EnumSet.allOf(ForwardingHeader.class),
                RouteHeaderEdits.NONE,
                connection("192.0.2.1", /* http2= */ false),
                CidrSet.EMPTY);
    }

    private static String write(
            String head, Forwarding forwarding, Set<ForwardingHeader> headers, RouteHeaderEdits edits, String client) {
        return write(
                head,
                ForwardingPolicies.of(forwarding),
                headers,
                edits,
                connection(client, /* http2= */ false),
                CidrSet.EMPTY);
    }

    private static PeerConnection connection(String client, boolean http2) {
        return new PeerConnection(
                new InetSocketAddress(address(client), 5000), /* localPort= */ 81, /* secure= */ false, http2);
    }

    private static String write(
            String head,
            ForwardingPolicies policies,
            Set<ForwardingHeader> headers,
            RouteHeaderEdits edits,
            PeerConnection connection,
            CidrSet trusted) {
        RequestScanner request = Heads.request(head);
        assertThat(request.fault).as(head).isNull();
        ClientAddress client = new ClientAddress(connection, new ForwardingRules(policies, headers, trusted));
        client.read(request);
        ByteBuf written = new RequestHeadWriter()
                .write(
                        request,
                        client,
                        edits,
                        (variable, target) -> target.append(ByteClasses.ascii("<" + variable.label() + ">")),
                        Backends.backend(0),
                        /* bodyBytes= */ 0,
                        UnpooledByteBufAllocator.DEFAULT);
        try {
            return written.toString(StandardCharsets.ISO_8859_1);
        } finally {
            written.release();
        }
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
