package io.ballast.http.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.core.log.LogTarget;
import io.ballast.http.config.AccessLogConfig;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.http.config.ForwardingPolicies;
import io.ballast.http.config.ListenerConfig;
import io.ballast.net.config.ClientLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AccessLogSlowDiskTest {

    private static final AccessLogConfig CONFIG =
            new AccessLogConfig("test", AccessLogConfig.Format.JSON, AccessLogConfig.MIN_QUEUE_BYTES);

    private static final ListenerConfig LISTENER = new ListenerConfig(
            "web",
            new HostPort("127.0.0.1", 0),
            List.of(),
            ClientDeadlines.DEFAULT,
            ClientLimits.DEFAULT,
            ForwardingPolicies.DEFAULT);

    /** A log target that writes the first piece only when the test allows it. */
    private static final class Disk implements LogTarget {

        final CountDownLatch mayWrite = new CountDownLatch(1);
        private final StringBuilder written = new StringBuilder();

        @Override
        public void write(byte[] bytes, int length) throws IOException {
            try {
                mayWrite.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            written.append(new String(bytes, 0, length, StandardCharsets.UTF_8));
        }

        @Override
        public void refresh() {}

        @Override
        public void close() {}
    }

    @Test
    void fullQueueDropsLinesAndKeepsOrder() throws InterruptedException {
        Disk disk = new Disk();
        LogWriter writer = new LogWriter(Clock.systemUTC());
        AccessLog log = new AccessLog(LISTENER, CONFIG, /* shards= */ 2, disk, writer);
        Thread thread = writer.start(List.of(log));
        AccessLogEntry exchange = new AccessLogEntry();
        int taken = 0;
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            exchange.start(System.nanoTime());
            exchange.store(AccessLogField.METHOD, "M" + taken);
            if (log.offer(1, exchange)) {
                taken++;
            } else {
                refused++;
            }
        }
        disk.mayWrite.countDown();
        writer.stop();
        thread.join();

        assertThat(refused).isPositive();
        assertThat(disk.written.toString().lines()).hasSize(taken);
        for (int i = 0; i < taken; i++) {
            assertThat(disk.written).contains("\"method\":\"M" + i + "\"");
        }
        assertThat(log.lost()).isZero();
    }
}
