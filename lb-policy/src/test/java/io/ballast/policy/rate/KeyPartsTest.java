package io.ballast.policy.rate;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.hash.SipHash24;
import io.ballast.core.stats.Counters;
import io.ballast.http.config.Forwarding;
import io.ballast.http.policy.Identity;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.ClientCertificates;
import io.ballast.net.config.ClientCertificates.Mode;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.config.TlsProfile;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import io.ballast.policy.testing.HttpRequests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which requests share a counter, for each part of a key. Each counter permits two requests. */
class KeyPartsTest {

    private static final byte[] USER = "x-user".getBytes(US_ASCII);

    private static NamedPolicy limit(MissingKey missing, LimitKey.Source source, String name) {
        RequestRateConfig config =
                new LimitBuilder().key(missing, new LimitKey(source, name)).build();
        return new NamedPolicy(
                "limit",
                config.kind(),
                new RateLimitPolicy(config, new SipHash24(1, 2), System::nanoTime),
                /* dryRun= */ false,
                new Counters<>(PolicyCounter.class, 2));
    }

    private static BalancerSetup before(TestBackend backend, NamedPolicy... policies) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policies);
    }

    /** Takes the identity from a header, and the part before the hyphen as the claim {@code tenant}. */
    private static NamedPolicy login() {
        return new TestPolicy("login", Phase.IDENTITY, exchange -> {
                    RoutedRequest request = exchange.request();
                    int line = request.headerLine(USER, 0);
                    if (line >= 0) {
                        int start = request.headerStart(line);
                        String user = new String(request.bytes(), start, request.headerEnd(line) - start, US_ASCII);
                        exchange.setIdentity(new Identity(user, Map.of("tenant", user.split("-")[0])));
                    }
                    return PolicyDecision.PASS;
                })
                .named();
    }

    @ParameterizedTest
    @EnumSource
    void requestsOfARouteShareACounter(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit(MissingKey.REFUSE, LimitKey.Source.ROUTE, ""))
                        .respond("/fixed", 200, "fixed")
                        .start()) {
            assertThat(http.get(balancer, "/fixed").status()).isEqualTo(200);
            assertThat(http.get(balancer, "/fixed/a").status()).isEqualTo(200);

            assertThat(http.get(balancer, "/fixed/b").status()).isEqualTo(429);
            assertThat(http.get(balancer, "/other").status()).isEqualTo(200);
        }
    }

    @Test
    void hostIsComparedWithoutCaseAndPort() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit(MissingKey.REFUSE, LimitKey.Source.HOST, ""))
                        .start();
                RawClient client = balancer.client()) {
            for (String host : List.of("a.example", "A.Example:8080")) {
                assertThat(getFrom(client, host)).as(host).isEqualTo(200);
            }

            assertThat(getFrom(client, "a.example:80")).isEqualTo(429);
            assertThat(getFrom(client, "b.example")).isEqualTo(200);
        }
    }

    private static int getFrom(RawClient client, String host) {
        return client.send("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                .read()
                .status();
    }

    @ParameterizedTest
    @EnumSource
    void identityIsKnownAfterAuthentication(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit(MissingKey.REFUSE, LimitKey.Source.IDENTITY, ""), login())
                        .start()) {
            for (int status : new int[] {200, 200, 429}) {
                assertThat(http.get(balancer, "/", "X-User", "blue-ann").status())
                        .isEqualTo(status);
            }
            assertThat(http.get(balancer, "/", "X-User", "blue-bob").status()).isEqualTo(200);
            assertThat(http.get(balancer, "/").status()).as("no identity").isEqualTo(429);
        }
    }

    @ParameterizedTest
    @EnumSource
    void identitiesWithTheSameClaimShareACounter(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(
                                backend, limit(MissingKey.REFUSE, LimitKey.Source.CLAIM, "tenant"), login())
                        .start()) {
            assertThat(http.get(balancer, "/", "X-User", "blue-ann").status()).isEqualTo(200);
            assertThat(http.get(balancer, "/", "X-User", "blue-bob").status()).isEqualTo(200);

            assertThat(http.get(balancer, "/", "X-User", "blue-eve").status()).isEqualTo(429);
            assertThat(http.get(balancer, "/", "X-User", "green-ann").status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ipv6ClientsOfANetworkShareACounter(HttpRequests http) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit(MissingKey.REFUSE, LimitKey.Source.CLIENT, ""))
                        .forwarding(Forwarding.OVERWRITE)
                        .trustedProxies("127.0.0.0/8")
                        .start()) {
            for (String client : List.of("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", "192.0.2.1", "192.0.2.1")) {
                assertThat(getAs(http, balancer, client)).as(client).isEqualTo(200);
            }

            assertThat(getAs(http, balancer, "2001:db8:0:1::3")).isEqualTo(429);
            assertThat(getAs(http, balancer, "2001:db8:0:2::1")).isEqualTo(200);
            assertThat(getAs(http, balancer, "192.0.2.1")).isEqualTo(429);
            assertThat(getAs(http, balancer, "192.0.2.2")).isEqualTo(200);
        }
    }

    private static int getAs(HttpRequests http, TestBalancer balancer, String client) {
        return http.get(balancer, "/", "X-Forwarded-For", client).status();
    }

    @Test
    void bothVersionsOfHttpShareACounter() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit(MissingKey.REFUSE, LimitKey.Source.CLIENT, ""))
                        .start()) {
            for (HttpRequests http : HttpRequests.values()) {
                assertThat(http.get(balancer, "/").status()).isEqualTo(200);
            }
            for (HttpRequests http : HttpRequests.values()) {
                HttpRequests.Answer refused = http.get(balancer, "/");

                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.headers("Retry-After")).hasSize(1);
            }
        }
    }

    @Test
    void subjectOfTheCertificateIsAKey(@TempDir Path directory) throws Exception {
        TestCertificate server = TestCertificate.forHosts("localhost");
        TestCertificate one = client("one");
        TestCertificate other = client("other");
        Path accepted = Files.writeString(
                directory.resolve("clients.pem"), one.certificatePem() + "\n" + other.certificatePem());
        ListenerTls tls = new ListenerTls(
                List.of(server.write(directory)),
                TlsProfile.INTERMEDIATE,
                Optional.of(new ClientCertificates(accepted, Mode.OPTIONAL)),
                /* hsts= */ Optional.empty());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit(MissingKey.SKIP, LimitKey.Source.TLS_SUBJECT, ""))
                        .tls(tls)
                        .start()) {
            for (int status : new int[] {200, 200, 429}) {
                assertThat(getWith(balancer, server.client(one))).isEqualTo(status);
            }
            assertThat(getWith(balancer, server.client(other))).isEqualTo(200);
            for (int i = 0; i < 3; i++) {
                assertThat(getWith(balancer, server.client()))
                        .as("no certificate")
                        .isEqualTo(200);
            }
        }
    }

    private static TestCertificate client(String name) {
        return TestCertificate.forClient(
                "CN=" + name + ",O=Example", "spiffe://example/" + name, name + "@example.com", name + ".example.com");
    }

    private static int getWith(TestBalancer balancer, SSLContext tls) {
        try (RawClient client = RawClient.connect(balancer.port(), tls, "localhost")) {
            return getFrom(client, "localhost");
        }
    }
}
