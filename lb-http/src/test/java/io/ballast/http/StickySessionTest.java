package io.ballast.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.SameSite;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.StickyKey;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.http.testing.Upgrades;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import io.ballast.net.testing.TestCertificate;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StickySessionTest {

    private static final StickyConfig NAMED = cookie(SameSite.LAX, Optional.empty(), Optional.empty(), key(1));

    private final List<TestBackend> backends = new ArrayList<>();

    @TempDir
    private Path directory;

    @AfterEach
    void close() throws Exception {
        for (TestBackend backend : backends) {
            backend.close();
        }
    }

    @EachTransport
    void clientWithCookieKeepsBackend(TransportKind transport) throws Exception {
        try (TestBalancer balancer = three(transport, NAMED).start();
                RawClient client = balancer.client();
                RawClient other = balancer.client()) {
            RawResponse first = request(client, /* cookie= */ null);
            String set = requireNonNull(first.header("Set-Cookie"));

            assertThat(set).matches("sid=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Lax");
            for (int i = 0; i < 4; i++) {
                RawResponse again = request(i % 2 == 0 ? other : client, "a=b; " + pair(set) + "; c=d");
                assertThat(again.body()).isEqualTo(first.body());
                assertThat(again.header("Set-Cookie")).isNull();
                request(other, /* cookie= */ null); // round-robin advances between the requests
            }
        }
    }

    @EachTransport
    void cookieWorksInBothHttpVersions(TransportKind transport) throws Exception {
        try (TestBalancer balancer = three(transport, NAMED).start();
                RawClient client = balancer.client();
                Http2Client modern = Http2Client.connect(balancer.port())) {
            Http2Response first = modern.read(modern.get("/"));
            String set = requireNonNull(first.header("set-cookie"));

            assertThat(set).matches("sid=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Lax");
            for (int i = 0; i < 4; i++) {
                RawResponse again = request(client, pair(set));
                assertThat(again.body()).isEqualTo(first.body());
                assertThat(again.header("Set-Cookie")).isNull();
                Http2Response modernAgain = modern.read(modern.get("/", "cookie", "a=b", "cookie", pair(set)));
                assertThat(modernAgain.body()).isEqualTo(first.body());
                assertThat(modernAgain.header("set-cookie")).isNull();
                int stream = modern.post("/", "cookie", pair(set));
                modern.upload(stream, /* ends= */ true, new byte[] {1});
                assertThat(modern.read(stream).body()).isEqualTo(first.body());
            }
        }
    }

    @Test
    void invalidTokenIsIgnored() throws Exception {
        try (TestBalancer balancer = three(TransportKind.NIO, NAMED).start();
                RawClient client = balancer.client()) {
            String token = token(request(client, /* cookie= */ null));
            char last = token.charAt(31) == '0' ? '1' : '0';
            List<String> forged = List.of(
                    "",
                    token.substring(1),
                    token + "0",
                    "g" + token.substring(1),
                    "0".repeat(32),
                    token.substring(0, 31) + last,
                    "\"" + token + "\"",
                    backends.get(0).address().toString());

            for (String value : forged) {
                RawResponse one = request(client, "sid=" + value);
                RawResponse next = request(client, "sid=" + value);
                assertThat(next.body()).as(value).isNotEqualTo(one.body());
                assertThat(next.header("Set-Cookie")).as(value).isNotNull();
            }
        }
    }

    @Test
    void clientOfUnavailableBackendMovesPermanently() throws Exception {
        try (TestBalancer balancer = three(TransportKind.NIO, NAMED).start();
                RawClient client = balancer.client()) {
            RawResponse first = request(client, /* cookie= */ null);
            Backend own = balancer.backend(Integer.parseInt(first.body()));

            for (BackendState state : List.of(BackendState.DOWN, BackendState.DRAINING, BackendState.MAINTENANCE)) {
                set(own, state, balancer);
                RawResponse moved = request(client, "sid=" + token(first));
                assertThat(moved.body()).isNotEqualTo(first.body());
                RawResponse again = request(client, "sid=" + token(moved));
                assertThat(again.body()).isEqualTo(moved.body());
                assertThat(again.header("Set-Cookie")).isNull();
                set(own, BackendState.UP, balancer);
                assertThat(request(client, "sid=" + token(moved)).body()).isEqualTo(moved.body());
            }
        }
    }

    @Test
    void retryUpdatesCookie() throws Exception {
        try (TestBackend breaking = TestBackend.playing(Script.ok("0"), Script.answerAndReset(""));
                TestBackend sound = TestBackend.playing(Script.ok("1"));
                TestBalancer balancer = setup(TransportKind.NIO, NAMED)
                        .backend(breaking)
                        .backend(sound)
                        .start();
                RawClient client = balancer.client()) {
            RawResponse first = request(client, /* cookie= */ null);
            RawResponse moved = request(client, "sid=" + token(first));

            assertThat(first.body()).isEqualTo("0");
            assertThat(moved.body()).isEqualTo("1");
            assertThat(token(moved)).isNotEqualTo(token(first));
            assertThat(request(client, "sid=" + token(moved)).body()).isEqualTo("1");
        }
    }

    @Test
    void keyRotationKeepsClients() throws Exception {
        try (TestBalancer balancer = three(TransportKind.NIO, NAMED).start()) {
            RawResponse first;
            try (RawClient client = balancer.client()) {
                first = request(client, /* cookie= */ null);
            }
            balancer.reload(again(NAMED.withKeys(List.of(key(2), key(1)))));
            RawResponse renewed;
            try (RawClient client = balancer.client()) {
                renewed = request(client, "sid=" + token(first));
                assertThat(renewed.body()).isEqualTo(first.body());
                assertThat(token(renewed)).isNotEqualTo(token(first));
            }
            balancer.reload(again(NAMED.withKeys(List.of(key(2)))));
            try (RawClient client = balancer.client()) {
                RawResponse last = request(client, "sid=" + token(renewed));
                assertThat(last.body()).isEqualTo(first.body());
                assertThat(last.header("Set-Cookie")).isNull();
                assertThat(request(client, "sid=" + token(first)).header("Set-Cookie"))
                        .isNotNull();
            }
        }
    }

    @Test
    void cookieHasConfiguredAttributes() throws Exception {
        StickyConfig unnamed = new StickyConfig(
                Optional.empty(), Optional.of(Duration.ofHours(1)), SameSite.STRICT, Optional.of(true), List.of());
        StickyConfig everywhere = cookie(SameSite.NONE, Optional.empty(), Optional.empty(), key(1));
        String usual = "ballast-[0-9a-f]{8}=[0-9a-f]{32}";

        assertThat(cookieOf(setup(TransportKind.NIO, unnamed)))
                .matches(usual + "; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=3600");
        assertThat(cookieOf(setup(TransportKind.NIO, everywhere)))
                .matches("sid=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=None; Secure");
    }

    @Test
    void cookieIsSecureOverTls() throws Exception {
        TestCertificate certificate = TestCertificate.create();
        BalancerSetup setup = three(TransportKind.NIO, NAMED).tls(ListenerTls.of(certificate.write(directory)));
        try (TestBalancer balancer = setup.start();
                RawClient client = RawClient.connect(balancer.port(), certificate.client(), "localhost")) {
            assertThat(request(client, /* cookie= */ null).header("Set-Cookie")).endsWith("; SameSite=Lax; Secure");
        }
    }

    @Test
    void cookiesOfBackendAreKept() throws Exception {
        Script answer = Script.answer("HTTP/1.1 200 OK\r\nSet-Cookie: own=1\r\nX-Gone: 1\r\nContent-Length: 0\r\n\r\n");
        try (TestBackend backend = TestBackend.playing(answer);
                TestBackend other = TestBackend.playing(answer);
                TestBalancer balancer = setup(TransportKind.NIO, NAMED)
                        .backend(backend)
                        .backend(other)
                        .headers(TestHeaderRules.response("X-Set", "yes"))
                        .start();
                RawClient client = balancer.client()) {
            String head = request(client, /* cookie= */ null).head();

            assertThat(head).contains("\r\nSet-Cookie: own=1\r\n", "\r\nSet-Cookie: sid=", "\r\nX-Set: yes\r\n");
            assertThat(backend.nextRequest()).doesNotContain("sid");
        }
    }

    @Test
    void ownResponsesSetNoCookie() throws Exception {
        try (TestBalancer balancer = three(TransportKind.NIO, NAMED).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 3; i++) {
                set(balancer.backend(i), BackendState.DOWN, balancer);
            }
            RawResponse refused = request(client, /* cookie= */ null);

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Set-Cookie")).isNull();
        }
    }

    @Test
    void tunnelSetsCookie() throws Exception {
        try (TestBackend backend = TestBackend.playing(Upgrades.echo());
                TestBalancer balancer =
                        setup(TransportKind.NIO, NAMED).backend(backend).start();
                RawClient client = balancer.client()) {
            assertThat(client.send(Upgrades.REQUEST).readHead()).contains("\r\nSet-Cookie: sid=");
        }
    }

    private BalancerSetup three(TransportKind transport, StickyConfig sticky) {
        for (int i = 0; i < 3; i++) {
            backends.add(TestBackend.playing(Script.ok(String.valueOf(i))));
        }
        return again(transport, sticky);
    }

    private BalancerSetup again(StickyConfig sticky) {
        return again(TransportKind.NIO, sticky);
    }

    private BalancerSetup again(TransportKind transport, StickyConfig sticky) {
        BalancerSetup setup = setup(transport, sticky);
        backends.forEach(setup::backend);
        return setup;
    }

    private static BalancerSetup setup(TransportKind transport, StickyConfig sticky) {
        return BalancerSetup.on(transport)
                .strategy(StrategyConfig.of(StrategyKind.STICKY).withSticky(sticky));
    }

    private static String cookieOf(BalancerSetup setup) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = setup.backend(backend).start();
                RawClient client = balancer.client()) {
            return requireNonNull(request(client, /* cookie= */ null).header("Set-Cookie"));
        }
    }

    private static RawResponse request(RawClient client, @Nullable String cookie) {
        return client.send("GET / HTTP/1.1\r\nHost: localhost\r\n"
                        + (cookie == null ? "" : "Cookie: " + cookie + "\r\n")
                        + "\r\n")
                .read();
    }

    private static String pair(String set) {
        return set.substring(0, set.indexOf(';'));
    }

    private static String token(RawResponse response) {
        return pair(requireNonNull(response.header("Set-Cookie"))).substring("sid=".length());
    }

    private static void set(Backend backend, BackendState state, TestBalancer balancer) {
        backend.health(
                new HealthStatus(state, Instant.EPOCH, HealthStatus.Origin.CHECK, "test", HealthStatus.LastCheck.NONE));
        balancer.pool().refresh();
    }

    private static StickyConfig cookie(
            SameSite sameSite, Optional<Duration> maxAge, Optional<Boolean> secure, StickyKey... keys) {
        return new StickyConfig(Optional.of("sid"), maxAge, sameSite, secure, List.of(keys));
    }

    private static StickyKey key(int b) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) b;
        return StickyKey.of(bytes);
    }
}
