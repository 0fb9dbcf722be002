package io.ballast.http.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that every mirrored request is counted once, and that none stays in flight. */
class MirrorPermitsTest {

    private static final int REQUESTS = 200;
    private static final int MAX_BODY_BYTES = 4;

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @EnumSource
    void everyMixOfEndsReleasesAllPermits(PolicyVersion version) throws Exception {
        Mirror mirror = new Mirror(MAX_BODY_BYTES, /* maxInFlight= */ 8, Duration.ofMinutes(1), /* eventLoops= */ 2);
        AtomicReference<TestBalancer> running = new AtomicReference<>();
        TestPolicy copying = new TestPolicy("copying", Phase.MIRROR, exchange -> {
            exchange.copyRequest(mirror.copy(exchange.worker(), running.get().pool("next"), exchange.generation()));
            return PolicyDecision.PASS;
        });
        Script[] unreliable = {Script.ok("a"), Script.answerAndReset(""), Script.ok("b"), Script.answerAndReset("HTTP")
        };
        try (TestBackend backend = TestBackend.playing(repeat(unreliable));
                TestBackend next = TestBackend.playing(repeat(unreliable));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .backend(backend)
                        .pool("next", next)
                        .policies(copying.named())
                        .start()) {
            running.set(balancer);
            Random random = new Random(1);
            for (int i = 0; i < REQUESTS; i++) {
                try (PolicyClient client = version.connect(balancer)) {
                    request(client, random.nextInt(4));
                }
            }

            balancer.await("no client is connected", () -> balancer.listener().openConnections() == 0);
            balancer.await("nothing is in flight", () -> mirror.inFlight() == 0);
            long counted = mirror.outcomes().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            assertThat(counted).isPositive().isLessThanOrEqualTo(REQUESTS);
            assertThat(mirror.outcomes().get("2xx")).isPositive();
            assertThat(mirror.outcomes().get("backend_failed")).isPositive();
            assertThat(mirror.outcomes().get("skipped_body")).isPositive();
        }
    }

    private static void request(PolicyClient client, int kind) {
        switch (kind) {
            case 0 -> client.post("/", "");
            case 1 -> client.post("/", "body");
            case 2 -> client.post("/", "longer body");
            default -> client.begin("/", "bo"); // the client disconnects before its body is complete
        }
    }

    private static Script[] repeat(Script[] scripts) {
        Script[] all = new Script[scripts.length * REQUESTS];
        for (int i = 0; i < all.length; i++) {
            all[i] = scripts[i % scripts.length];
        }
        return all;
    }
}
