package io.ballast.policy.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.PoolConcurrency;
import io.ballast.core.config.RequestQueue;
import io.ballast.http.policy.PolicyExchange;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests which requests are samples of an adaptive limit. */
class LatencySampleTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long LATENCY = SECOND / 100;

    private static boolean isSample(RequestQueue queue, long firstByteNanos, long nanos, boolean isTunnel) {
        PoolConcurrency config = new PoolConcurrency(/* adaptive= */ true, 10, 1000, queue);
        return new PoolConcurrencyPolicy(config, /* now= */ 0).isSample(firstByteNanos, nanos, isTunnel);
    }

    private static boolean isSample(long firstByteNanos, long nanos, boolean isTunnel) {
        return isSample(RequestQueue.NONE, firstByteNanos, nanos, isTunnel);
    }

    @Test
    void responsesAreSamples() {
        assertThat(isSample(LATENCY, 2 * LATENCY, /* isTunnel= */ false)).isTrue();
        assertThat(isSample(LATENCY, LATENCY + 10 * SECOND, /* isTunnel= */ false))
                .isTrue();
    }

    @Test
    void streamsAndTunnelsAreNoSamples() {
        assertThat(isSample(LATENCY, LATENCY + 10 * SECOND + 1, /* isTunnel= */ false))
                .isFalse();
        assertThat(isSample(LATENCY, 2 * LATENCY, /* isTunnel= */ true)).isFalse();
        assertThat(isSample(PolicyExchange.NO_RESPONSE, LATENCY, /* isTunnel= */ false))
                .isFalse();
    }

    @Test
    void waitForAPermitIsNoStream() {
        RequestQueue queue = new RequestQueue(10, Duration.ofMinutes(1));

        assertThat(isSample(queue, LATENCY, 70 * SECOND, /* isTunnel= */ false)).isTrue();
        assertThat(isSample(queue, LATENCY, 71 * SECOND, /* isTunnel= */ false)).isFalse();
    }
}
