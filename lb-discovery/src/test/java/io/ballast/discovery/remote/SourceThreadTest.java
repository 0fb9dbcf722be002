package io.ballast.discovery.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.discovery.testing.ManualSourceTime;
import io.ballast.discovery.testing.RecordedReports;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SourceThreadTest {

    private final ManualSourceTime time = new ManualSourceTime();
    private final RecordedReports reports = new RecordedReports();

    @Test
    void errorFailsRoundAndThreadContinues() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        try (SourceThread thread = new SourceThread("discover-test", time.pacing(), listener -> {
            if (rounds.incrementAndGet() == 1) {
                throw new StackOverflowError();
            }
            listener.onBackends(List.of());
            return Duration.ZERO;
        })) {
            thread.start(reports);

            assertThat(reports.next()).isEqualTo("failed: internal error: stack overflow");
            assertThat(time.pass()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
            assertThat(reports.next()).isEqualTo(List.of());
        }
    }
}
