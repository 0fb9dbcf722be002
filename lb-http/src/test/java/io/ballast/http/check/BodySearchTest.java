package io.ballast.http.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.BodyCheck;
import io.ballast.core.config.CheckTls;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestTimeout;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Tests body searches that wait for other searches. */
class BodySearchTest {

    private static final byte[] BODY = "state=up".getBytes(StandardCharsets.ISO_8859_1);
    private static final HealthCheck CHECK = new HealthCheck.Http(
            "GET",
            "/",
            Optional.empty(),
            HealthCheck.Http.DEFAULT_EXPECTED,
            List.of(),
            new BodyCheck(Optional.empty(), Optional.of("state=u.")),
            CheckTls.OF_POOL);

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final BodyRegexSearch patterns = new BodyRegexSearch(waiting::add);
    private final List<ProbeResult> results = new ArrayList<>();
    private final List<Boolean> found = new ArrayList<>();

    @Test
    void searchTimeoutIsNoBackendFailure() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("state=up"))) {
            NettyTransport nio = NettyTransport.choose(TransportKind.NIO);
            ProbeResult result;
            Duration timeout = Duration.ofMillis(100);
            do {
                timeout = timeout.multipliedBy(2); // a longer timeout, in case the response itself was late
                result = CheckRun.of(nio, backend.address(), CHECK, timeout, waiting::add);
            } while (waiting.isEmpty() && timeout.compareTo(TestTimeout.LIMIT) < 0);

            assertThat(result.isConclusive()).isFalse();
            assertThat(result.text())
                    .isEqualTo("the body was received, but the regular expression was not evaluated in time");
        }
    }

    @Test
    void noSearchAfterVerdict() {
        FirstResult late = new FirstResult(results::add);
        patterns.search("state=u.", BODY, late, found::add);
        FirstResult early = new FirstResult(results::add);
        patterns.search("state=u.", BODY, early, found::add);
        late.onDeadline("no answer");

        waiting.forEach(Runnable::run);

        assertThat(found).as("of the second one").containsExactly(true);
        assertThat(results)
                .extracting(ProbeResult::text)
                .containsExactly("the body was received, but the regular expression was not evaluated in time");
    }

    @Test
    void longSearchDoesNotBlockOthers() {
        assertThat(List.of(1, 2, 4, 16))
                .extracting(SocketProbe::maxConcurrentSearches)
                .containsExactly(2, 2, 2, 8);
    }
}
