package io.ballast.dns.net.doh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.DeferredQueries;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.StreamServerFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.testing.TestCertificate;
import io.ballast.net.tls.ServerTls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Tests DNS over HTTPS with the JDK's client, in both HTTP versions. */
class DohTest {

    private static final String MEDIA_TYPE = "application/dns-message";
    private static final byte[] PIECE = new byte[16 * 1024];

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"))
            .zone("example.com", ZoneFixture.service("app", "web"));
    private final TestCertificate certificate = TestCertificate.create();
    private ServerTls tls;
    private StreamServerFixture server;

    @BeforeEach
    void serve(@TempDir Path directory) throws IOException {
        tls = ServerTls.open(ListenerTls.of(certificate.write(directory)), DohProtocol.APPLICATION_PROTOCOLS);
        server = new StreamServerFixture(fixture, DnsTcpConfig.DEFAULT, new DohProtocol(tls), Optional.empty());
    }

    @AfterEach
    void close() {
        server.close();
        tls.close();
        assertThat(server.sum(DnsCounter.ERRORS)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void answersGetAndPost(Version version) throws Exception {
        HttpClient client = client(version);
        byte[] query = query("app.example.com");

        for (HttpRequest request : List.of(get(query), post(query))) {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());

            assertThat(response.version()).isEqualTo(version);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("content-type")).contains(MEDIA_TYPE);
            assertThat(response.headers().firstValue("cache-control"))
                    .contains("private, max-age=" + ZoneFixture.TTL.toSeconds());
            Message answer = Messages.parse(response.body());
            assertThat(answer.getHeader().getID()).isZero();
            assertThat(Messages.answers(answer)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2");
        }
        assertThat(server.sum(DnsCounter.QUERIES_DOH)).isEqualTo(2);
        assertThat(server.sum(DnsCounter.CONNECTIONS)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void deferredAnswersHaveMaxAge(Version version) throws Exception {
        DeferredQueries held = new DeferredQueries();
        try (StreamServerFixture forwarding =
                new StreamServerFixture(fixture, DnsTcpConfig.DEFAULT, new DohProtocol(tls), Optional.empty(), held)) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(
                            "https://localhost:" + forwarding.address().getPort() + "/dns-query"))
                    .header("content-type", MEDIA_TYPE)
                    .POST(BodyPublishers.ofByteArray(query("app.example.org")))
                    .build();
            CompletableFuture<HttpResponse<byte[]>> pending =
                    client(version).sendAsync(request, BodyHandlers.ofByteArray());
            held.await(1);
            held.answer(0);

            HttpResponse<byte[]> response = pending.get();
            assertThat(response.version()).isEqualTo(version);
            assertThat(response.headers().firstValue("content-type")).contains(MEDIA_TYPE);
            assertThat(response.headers().firstValue("cache-control"))
                    .contains("private, max-age=" + DeferredQueries.TTL);
            assertThat(Messages.answers(Messages.parse(response.body()))).containsExactly("203.0.113.1");
            assertThat(forwarding.sum(DnsCounter.ERRORS)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void dnsErrorsHaveStatus200(Version version) throws Exception {
        HttpClient client = client(version);

        HttpResponse<byte[]> absent = client.send(get(query("absent.example.com")), BodyHandlers.ofByteArray());
        HttpResponse<byte[]> foreign = client.send(get(query("example.org")), BodyHandlers.ofByteArray());
        HttpResponse<byte[]> broken = client.send(post(new byte[12]), BodyHandlers.ofByteArray());

        assertThat(Messages.parse(absent.body()).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(absent.headers().firstValue("cache-control"))
                .contains("private, max-age=" + ZoneFixture.NEGATIVE_TTL.toSeconds());
        assertThat(Messages.parse(foreign.body()).getRcode()).isEqualTo(Rcode.REFUSED);
        assertThat(foreign.headers().firstValue("cache-control")).contains("private, max-age=0");
        assertThat(broken.statusCode()).isEqualTo(200);
        assertThat(Messages.parse(broken.body()).getRcode()).isEqualTo(Rcode.FORMERR);
        assertThat(server.sum(DnsCounter.HTTP_ERRORS)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void rejectsOtherRequestsWithStatus(Version version) throws Exception {
        HttpClient client = client(version);
        byte[] query = query("app.example.com");
        String encoded = Base64.getUrlEncoder().withoutPadding().encodeToString(query);

        assertThat(status(client, builder("/other?dns=" + encoded))).isEqualTo(404);
        assertThat(status(client, builder("/dns-query"))).isEqualTo(400);
        assertThat(status(client, builder("/dns-query?dns=AA"))).isEqualTo(400);
        assertThat(status(client, builder("/dns-query?dns=AA=="))).isEqualTo(400);
        assertThat(status(client, builder("/dns-query").POST(BodyPublishers.ofByteArray(query))))
                .isEqualTo(415);
        assertThat(status(
                        client,
                        builder("/dns-query").POST(BodyPublishers.noBody()).header("content-type", MEDIA_TYPE)))
                .isEqualTo(400);
        HttpResponse<byte[]> deleted =
                client.send(builder("/dns-query").DELETE().build(), BodyHandlers.ofByteArray());
        assertThat(deleted.statusCode()).isEqualTo(405);
        assertThat(deleted.headers().firstValue("allow")).contains("GET, POST");

        assertThat(server.sum(DnsCounter.HTTP_ERRORS)).isEqualTo(7);
        assertThat(client.send(get(query), BodyHandlers.ofByteArray()).statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void rejectsTooLargeBodies(Version version) throws Exception {
        HttpClient client = client(version);
        byte[] body = new byte[DohRequest.MAX_BODY_BYTES + 1];

        assertThat(client.send(post(body), BodyHandlers.ofByteArray()).statusCode())
                .isEqualTo(413);
        HttpRequest unknownLength = builder("/dns-query")
                .header("content-type", MEDIA_TYPE)
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(body)))
                .build();
        assertThat(client.send(unknownLength, BodyHandlers.ofByteArray()).statusCode())
                .isEqualTo(413);
        assertThat(client.send(get(query("app.example.com")), BodyHandlers.ofByteArray())
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void rejectsTooLargeHeads(Version version) throws Exception {
        HttpClient client = client(version);
        String large = "x".repeat(DohRequest.MAX_HEADER_BYTES);

        assertThat(status(client, builder("/dns-query?dns=AAAA").header("large", large)))
                .isEqualTo(431);
        assertThat(status(client, builder("/dns-query?dns=" + large))).isEqualTo(version == Version.HTTP_2 ? 431 : 414);
        assertThat(client.send(get(query("app.example.com")), BodyHandlers.ofByteArray())
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void answersConcurrentStreams() throws Exception {
        HttpClient client = client(Version.HTTP_2);
        client.send(get(query("app.example.com")), BodyHandlers.ofByteArray());
        List<CompletableFuture<HttpResponse<byte[]>>> responses = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            HttpRequest request = i % 2 == 0 ? get(query("app.example.com")) : post(query("app.example.com"));
            responses.add(client.sendAsync(request, BodyHandlers.ofByteArray()));
            if (i % 50 == 49) {
                CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new))
                        .get();
            }
        }

        assertThat(responses)
                .allSatisfy(response -> assertThat(
                                Messages.answers(Messages.parse(response.get().body())))
                        .hasSize(2));
        assertThat(server.sum(DnsCounter.CONNECTIONS)).isEqualTo(1);
        assertThat(server.sum(DnsCounter.QUERIES_DOH)).isEqualTo(501);
    }

    @Test
    void acceptsFragmentedBodies() throws Exception {
        byte[] query = query("app.example.com");
        HttpRequest pieces = builder("/dns-query")
                .header("content-type", MEDIA_TYPE)
                .POST(BodyPublishers.concat(IntStream.range(0, query.length)
                        .mapToObj(i -> BodyPublishers.ofByteArray(query, i, 1))
                        .toArray(HttpRequest.BodyPublisher[]::new)))
                .build();

        for (Version version : Version.values()) {
            HttpResponse<byte[]> response = client(version).send(pieces, BodyHandlers.ofByteArray());

            assertThat(Messages.answers(Messages.parse(response.body()))).hasSize(2);
        }
    }

    @Test
    void answersPipelinedRequestsUntilMalformed() throws Exception {
        String target =
                "/dns-query?dns=" + Base64.getUrlEncoder().withoutPadding().encodeToString(query("example.org"));
        try (Socket socket = socket(server)) {
            String good = "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
            String foreign = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
            String withoutHost = "GET " + target + " HTTP/1.1\r\n\r\n";
            String broken = "GET " + target + "\r\n\r\n";
            send(socket, good + foreign + withoutHost + good + broken + good);

            String received = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(Pattern.compile("HTTP/1.1 [0-9]{3}").matcher(received).results())
                    .extracting(MatchResult::group)
                    .containsExactly("HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 400", "HTTP/1.1 200", "HTTP/1.1 400");
        }
    }

    @Test
    void rejectedClientMaySendRest() throws Exception {
        try (Socket socket = socket(server)) {
            send(socket, refusedHead());
            assertThat(firstLine(socket)).isEqualTo("HTTP/1.1 413 Request Entity Too Large");

            for (int sent = 0; sent < LingeringClose.MAX_DROPPED_BYTES / 2; sent += PIECE.length) {
                socket.getOutputStream().write(PIECE); // After a close, the second write would fail.
            }
        }
        server.awaitSum(DnsCounter.CONNECTIONS_CLOSED, 1);
        assertThat(server.sum(DnsCounter.SLOW_SENDER)).isZero();
    }

    @Test
    void rejectedClientIsClosedEventually() throws Exception {
        try (Socket socket = socket(server)) {
            send(socket, refusedHead());

            assertThatThrownBy(() -> {
                        while (true) {
                            socket.getOutputStream().write(PIECE);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        server.awaitSum(DnsCounter.CONNECTIONS_CLOSED, 1);
    }

    private static String refusedHead() {
        return "POST /dns-query HTTP/1.1\r\nHost: a\r\nContent-Type: " + MEDIA_TYPE
                + "\r\nContent-Length: 1000000000\r\n\r\n";
    }

    private static String firstLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1))
                .readLine();
    }

    private Socket socket(StreamServerFixture to) throws IOException {
        Socket socket = certificate
                .client()
                .getSocketFactory()
                .createSocket(to.address().getAddress(), to.address().getPort());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private HttpClient client(Version version) {
        return HttpClient.newBuilder()
                .sslContext(certificate.client())
                .version(version)
                .build();
    }

    private HttpRequest get(byte[] query) {
        return builder("/dns-query?dns="
                        + Base64.getUrlEncoder().withoutPadding().encodeToString(query))
                .header("accept", MEDIA_TYPE)
                .build();
    }

    private HttpRequest post(byte[] query) {
        return builder("/dns-query")
                .header("content-type", MEDIA_TYPE)
                .POST(BodyPublishers.ofByteArray(query))
                .build();
    }

    private HttpRequest.Builder builder(String target) {
        return HttpRequest.newBuilder(
                URI.create("https://localhost:" + server.address().getPort() + target));
    }

    private static int status(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), BodyHandlers.ofByteArray()).statusCode();
    }

    private static byte[] query(String name) {
        Message query = Messages.query(name, Type.A);
        query.getHeader().setID(0);
        return query.toWire();
    }
}
