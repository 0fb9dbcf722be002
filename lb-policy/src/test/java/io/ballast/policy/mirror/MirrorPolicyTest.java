package io.ballast.policy.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BackendProtocol;
import io.ballast.core.stats.Counters;
import io.ballast.http.exchange.ListenerCounter;
import io.ballast.http.h2.testing.Http2Request;
import io.ballast.http.h2.testing.Http2Script;
import io.ballast.http.h2.testing.Http2TestBackend;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.policy.Refusal;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.MirrorConfig;
import io.ballast.policy.testing.TestPolicies;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests which requests a mirror receives. {@link TestBalancer#close} checks that no buffer is leaked. */
class MirrorPolicyTest {

    private static final String MARK = "X-Mirrored-Request: true\r\n";

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void mirrorGetsWhatBackendGets(PolicyVersion version) throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.start(backend, mirror);
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/path?query", "body", "x-own", "value");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("answer");
            String original = backend.nextRequest();
            String copy = mirror.nextRequest();
            assertThat(copy).startsWith("POST /path?query HTTP/1.1\r\n").contains(MARK);
            assertThat(copy).endsWith("\r\n\r\nbody").contains("Content-Length: 4\r\n");
            assertThat(original).doesNotContain("X-Mirrored-Request");
            assertThat(lines(copy))
                    .containsAll(lines(original).stream()
                            .filter(line -> !line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                            .filter(line -> !line.toLowerCase(Locale.ROOT).startsWith("transfer-encoding:"))
                            .filter(line -> line.contains(": "))
                            .toList());
            setup.await(balancer, "2xx", 1);
            assertThat(balancer.count(ListenerCounter.REQUESTS)).isEqualTo(1);
        }
    }

    private static List<String> lines(String message) {
        return message.lines().toList();
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void http2BackendsAreMirrored(PolicyVersion version) throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (Http2TestBackend backend = Http2TestBackend.playing(Http2Script.ok("answer"));
                Http2TestBackend mirror = Http2TestBackend.playing(Http2Script.ok("discarded"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .protocol(BackendProtocol.H2C)
                        .backend(backend.address())
                        .pool(MirrorSetup.NEXT, mirror.address())
                        .policies(TestPolicies.named(setup.policy()))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            client.begin("/", "bo");
            client.continueBody("dy");
            assertThat(client.read().body()).isEqualTo("answer");

            Http2Request copy = mirror.nextRequest();
            assertThat(copy.body()).isEqualTo("body");
            assertThat(copy.header("x-mirrored-request")).isEqualTo("true");
            assertThat(copy.header("content-length")).isEqualTo("4");
            assertThat(backend.nextRequest().header("x-mirrored-request")).isNull();
            setup.await(balancer, "2xx", 1);
        }
    }

    @Test
    void chunkedBodyHasKnownLengthInCopy() throws Exception {
        MirrorSetup setup = MirrorSetup.maxBody(5);
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.start(backend, mirror);
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTrailer: X-T\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
            balancer.await("the first chunk came", () -> backend.bytes() > 0);
            client.send("2\r\nde\r\n0\r\nX-T: 1\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(200);

            String copy = mirror.nextRequest();
            assertThat(copy).contains("Content-Length: 5\r\n").endsWith("\r\n\r\nabcde");
            assertThat(copy).doesNotContain("Transfer-Encoding", "Trailer");
            setup.await(balancer, "2xx", 1);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void requestWithoutBodyIsMirrored(PolicyVersion version) throws Exception {
        MirrorSetup setup = MirrorSetup.maxBody(0);
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror =
                        TestBackend.playing(Script.answer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
                TestBalancer balancer = setup.start(backend, mirror);
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "").status()).isEqualTo(200);

            assertThat(mirror.nextRequest()).endsWith("\r\n\r\n").contains(MARK);
            setup.await(balancer, "4xx", 1);
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void longBodyIsNotMirrored(PolicyVersion version) throws Exception {
        MirrorSetup setup = MirrorSetup.maxBody(3);
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.start(backend, mirror);
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/", "body").status()).isEqualTo(200);

            assertThat(backend.nextRequest()).contains("body");
            setup.await(balancer, "skipped_body", 1);
            assertThat(mirror.connections()).isZero();
        }
    }

    @Test
    void longChunkedBodyIsNotMirrored() throws Exception {
        MirrorSetup setup = MirrorSetup.maxBody(4);
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.start(backend, mirror);
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
            client.send("3\r\nabc\r\n2\r\nde\r\n1\r\nf\r\n0\r\n\r\n");

            assertThat(client.read().body()).isEqualTo("answer");
            assertThat(backend.nextRequest()).contains("abc", "de");
            setup.await(balancer, "skipped_body", 1);
        }
    }

    @Test
    void requestWithoutWholeBodyIsNotMirrored() throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.start(backend, mirror)) {
            try (RawClient client = balancer.client()) {
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
                balancer.await("the first part came", () -> backend.bytes() > 0);
            }

            setup.await(balancer, "skipped_incomplete", 1);
            assertThat(mirror.connections()).isZero();
        }
    }

    @Test
    void requestSentTwiceIsMirroredOnce() throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend bad = TestBackend.playing(Script.answerAndReset(""));
                TestBackend good = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer =
                        setup.balancer(bad, mirror.address()).backend(good).start();
                RawClient client = balancer.client()) {
            for (int i = 0; i < 2; i++) { // round-robin picks each backend once
                client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
                assertThat(client.read().body()).isEqualTo("answer");
            }

            setup.await(balancer, "2xx", 2);
            assertThat(mirror.requests())
                    .hasSize(2)
                    .allSatisfy(copy -> assertThat(copy).endsWith("\r\n\r\nbody"));
        }
    }

    @Test
    void secondAttemptCopiesBodyFromItsStart() throws Exception {
        Script resetting = connection -> {
            connection.readHead();
            connection.readExactly(2);
            connection.reset();
        };
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend bad = TestBackend.accepting(resetting);
                TestBackend good = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.balancer(bad, mirror.address())
                        .loops(1)
                        .backend(good)
                        .start()) {
            for (int i = 0; i < 2; i++) { // round-robin picks each backend once
                long before = good.bytes();
                try (RawClient client = balancer.client()) {
                    client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbo");
                    balancer.await("the good backend got the start", () -> good.bytes() > before);
                    client.send("dy");
                    assertThat(client.read().body()).isEqualTo("answer");
                }
            }

            setup.await(balancer, "2xx", 2);
            assertThat(mirror.requests()).allSatisfy(copy -> assertThat(copy).endsWith("\r\n\r\nbody"));
        }
    }

    @Test
    void markOfClientIsRemovedAndPreventsMirroring() throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.start(backend, mirror);
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nx-mirrored-request: 1\r\nX_Mirrored_Request: 1\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(200);

            assertThat(backend.nextRequest().toLowerCase(Locale.ROOT)).doesNotContain("mirrored");
            setup.await(balancer, "skipped_mirrored", 1);
        }
    }

    @Test
    void protocolSwitchIsNotMirrored() throws Exception {
        Script switching = connection -> {
            connection.readHead();
            connection.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            connection.echo();
        };
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend backend = TestBackend.accepting(switching);
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.start(backend, mirror);
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            assertThat(client.readHead()).startsWith("HTTP/1.1 101");
            client.send("data");
            assertThat(client.readExactly(4)).isEqualTo("data");

            setup.await(balancer, "skipped_tunnel", 1);
        }
    }

    @Test
    void refusedRequestIsNotMirrored() throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        TestPolicy refusing = new TestPolicy("refusing", Phase.RESPONSE, exchange -> new Refusal(403, "no", ""));
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.balancer(backend, mirror.address())
                        .policies(TestPolicies.named(setup.policy()), refusing.named())
                        .start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(403);
            assertThat(setup.outcomes()).isEmpty();
            assertThat(mirror.connections()).isZero();
        }
    }

    @Test
    void dryRunMirrorsNothing() throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        NamedPolicy dry = new NamedPolicy(
                "dry", "mirror", setup.policy(), /* dryRun= */ true, new Counters<>(PolicyCounter.class, 2));
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer =
                        setup.balancer(backend, mirror.address()).policies(dry).start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            assertThat(client.read().status()).isEqualTo(200);
            assertThat(dry.counters().sum(PolicyCounter.PASSED)).isEqualTo(1);
            assertThat(mirror.connections()).isZero();
        }
    }

    @Test
    void severalMirrorsGetTheRequest() throws Exception {
        MirrorSetup first = MirrorSetup.all();
        MirrorSetup second = MirrorSetup.all();
        NamedPolicy other = new NamedPolicy(
                "other", "mirror", second.policy(), /* dryRun= */ false, new Counters<>(PolicyCounter.class, 2));
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = first.balancer(backend, mirror.address())
                        .policies(TestPolicies.named(first.policy()), other)
                        .start();
                RawClient client = balancer.client()) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody");
            assertThat(client.read().status()).isEqualTo(200);

            first.await(balancer, "2xx", 1);
            second.await(balancer, "2xx", 1);
            assertThat(mirror.requests())
                    .hasSize(2)
                    .allSatisfy(copy -> assertThat(copy).endsWith("\r\n\r\nbody"));
        }
    }

    @Test
    void shareOfRequestsIsMirrored() throws Exception {
        MirrorSetup quarter = MirrorSetup.with(MirrorConfig.MAX_SHARE / 4, 1000, 1000, MirrorConfig.MAX_TIMEOUT);
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer =
                        quarter.balancer(backend, mirror.address()).loops(1).start()) {
            balancer.queryConcurrently(/* clients= */ 1, /* requests= */ 2000, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");

            // The seed of the random numbers is fixed. The standard deviation of a binomial distribution is 19.
            balancer.await("all copies were sent", () -> quarter.count("2xx") > 400);
            balancer.awaitStandstill(() -> quarter.count("2xx"), /* min= */ 0);
            assertThat(quarter.count("2xx")).isBetween(420L, 580L);
        }
    }

    @Test
    void reloadThatRemovesMirrorDoesNotEndCopy() throws Exception {
        CountDownLatch reloaded = new CountDownLatch(1);
        MirrorSetup setup = MirrorSetup.with(MirrorConfig.MAX_SHARE, 1000, 10, Duration.ofMinutes(1));
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.okAfter(reloaded, "late"));
                TestBalancer balancer = setup.start(backend, mirror);
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(200);
            mirror.nextRequest();

            balancer.reload(BalancerSetup.on(TransportKind.NIO).backend(backend));
            setup.policy().close();
            reloaded.countDown();

            setup.await(balancer, "2xx", 1);
        }
    }
}
