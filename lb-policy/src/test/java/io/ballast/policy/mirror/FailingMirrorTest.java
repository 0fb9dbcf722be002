package io.ballast.policy.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.ClosedPort;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.MirrorConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that clients do not notice a mirror that fails. */
class FailingMirrorTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final int REQUESTS = 10_000;
    private static final long MAX_BUFFER_BYTES = 1024 * 1024;

    @Test
    void mirrorThatNeverAnswersChangesNothing() throws Exception {
        int maxInFlight = 100;
        MirrorSetup setup = MirrorSetup.maxInFlight(maxInFlight);
        String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(1000);
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.silence());
                TestBalancer balancer = setup.start(backend, mirror)) {
            balancer.queryConcurrently(/* clients= */ 4, REQUESTS / 4, post);

            assertThat(setup.count("skipped_in_flight")).isPositive();
            assertThat(setup.total()).isBetween((long) REQUESTS - maxInFlight, REQUESTS - 1L);
            balancer.await("no pooled buffers are held", () -> balancer.buffersInUse() < MAX_BUFFER_BYTES);

            balancer.frontend().close();
            assertThat(setup.total()).isEqualTo(REQUESTS);
            assertThat(setup.count("stopped")).isPositive();
        }
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void unreachableMirrorChangesNothing(PolicyVersion version) throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBalancer balancer =
                        setup.balancer(backend, ClosedPort.find()).start();
                PolicyClient client = version.connect(balancer)) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.post("/", "body").body()).isEqualTo("answer");
            }

            setup.await(balancer, "backend_failed", 10);
        }
    }

    @Test
    void slowMirrorIsTimeout() throws Exception {
        MirrorSetup setup = MirrorSetup.with(MirrorConfig.MAX_SHARE, 1000, 1, Duration.ofMillis(100));
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.silence());
                TestBalancer balancer = setup.start(backend, mirror);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("answer");
            setup.await(balancer, "timeout", 1);

            assertThat(client.send(GET).read().body()).isEqualTo("answer"); // the slot is free again
            setup.await(balancer, "timeout", 2);
        }
    }

    @Test
    void resettingMirrorChangesNothing() throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.answerAndReset("HTTP/1.1 2"));
                TestBalancer balancer = setup.start(backend, mirror);
                RawClient client = balancer.client()) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.send(GET).read().body()).isEqualTo("answer");
            }

            setup.await(balancer, "backend_failed", 10);
        }
    }

    @Test
    void longResponseOfMirrorIsDiscarded() throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend backend = TestBackend.playing(Script.ok("answer"));
                TestBackend mirror = TestBackend.playing(Script.ok("x".repeat(5_000_000)));
                TestBalancer balancer = setup.start(backend, mirror);
                RawClient client = balancer.client()) {
            assertThat(client.send(GET).read().body()).isEqualTo("answer");

            setup.await(balancer, "2xx", 1);
        }
    }

    @Test
    void clientThatIsGoneDoesNotEndCopy() throws Exception {
        MirrorSetup setup = MirrorSetup.all();
        try (TestBackend backend = TestBackend.playing(Script.silence());
                TestBackend mirror = TestBackend.playing(Script.ok("discarded"));
                TestBalancer balancer = setup.start(backend, mirror)) {
            try (RawClient client = balancer.client()) {
                client.send(GET);
                backend.nextRequest();
            }

            setup.await(balancer, "2xx", 1);
        }
    }
}
