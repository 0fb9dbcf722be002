package io.ballast.http.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.ballast.core.log.RecordRing;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests that logging does not allocate on the event loop after warm-up. */
class LoggingAllocationTest {

    private static final int MAX_BATCHES = 5_000;
    private static final int ROUNDS = 1_000;
    private static final byte[] TEXT =
            "GET /some/path?with=query HTTP/1.1 a.example curl/8.0".getBytes(StandardCharsets.US_ASCII);

    private final AccessLogEntry exchange = new AccessLogEntry();
    private final RecordRing ring = new RecordRing(64 * 1024);

    @Test
    void loggingAllocatesNothing() {
        assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean, "this JVM does not count allocations");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long min = Long.MAX_VALUE;
        for (int i = 0; i < MAX_BATCHES && min > 0; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int j = 0; j < ROUNDS; j++) {
                log(j);
            }
            min = Math.min(min, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(min).isZero();
    }

    private void log(long now) {
        exchange.start(now);
        exchange.store(AccessLogField.METHOD, TEXT, 0, 3);
        exchange.store(AccessLogField.TARGET, TEXT, 4, 25);
        exchange.store(AccessLogField.HOST, TEXT, 35, 44);
        exchange.store(AccessLogField.USER_AGENT, TEXT, 45, TEXT.length);
        exchange.store(AccessLogField.END, "ok");
        assertThatTaken(exchange.offerTo(ring) && ring.peek());
        ring.release();
    }

    private static void assertThatTaken(boolean taken) {
        if (!taken) {
            throw new AssertionError("the queue is full");
        }
    }
}
