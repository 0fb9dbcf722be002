package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.InFlight;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * Tests that exchanges that fail fast count as load for a while, so that load-based strategies do not prefer a backend
 * that fails fast.
 */
class FailedExchangeLoadTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final long STEP = Duration.ofMillis(10).toNanos();

    @EachTransport
    void errorResponseAddsLoad(TransportKind transport) throws Exception {
        assertThat(countsAfter(transport, Script.answer("HTTP/1.1 503 No\r\nContent-Length: 0\r\n\r\n")))
                .isTrue();
    }

    @EachTransport
    void closedConnectionWithoutResponseAddsLoad(TransportKind transport) throws Exception {
        assertThat(countsAfter(transport, Script.answerAndClose(""))).isTrue();
    }

    @EachTransport
    void successfulResponseAddsNoLoad(TransportKind transport) throws Exception {
        assertThat(countsAfter(transport, Script.ok("well"))).isFalse();
    }

    /**
     * Sends one request to a backend with this script; returns whether it then counted as a recent failure at any time.
     */
    private static boolean countsAfter(TransportKind transport, Script script) throws Exception {
        long begin = System.nanoTime();
        try (TestBackend backend = TestBackend.playing(script);
                TestBalancer balancer =
                        BalancerSetup.on(transport).loops(1).backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(GET).read();
            balancer.awaitQuietBackends();

            InFlight inFlight = balancer.backend(0).inFlight();
            return LongStream.iterate(begin, now -> now < System.nanoTime(), now -> now + STEP)
                    .anyMatch(inFlight::hasFailedLately);
        }
    }
}
