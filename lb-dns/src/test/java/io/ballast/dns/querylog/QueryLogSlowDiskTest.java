package io.ballast.dns.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.log.LogTarget;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import io.ballast.dns.config.DnsQueryLogConfig.Format;
import io.ballast.dns.config.LogRotation;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.Query;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

class QueryLogSlowDiskTest {

    private static final byte[] CLIENT = {127, 0, 0, 1};
    private static final byte[] RESPONSE = new byte[40];
    private static final int MEMORY = 100;

    private final QueryLog log = new QueryLog((decider, detail) -> "");
    private final QueryRecorder recorder = log.recorder();
    private final Query query = new Query(NameHash.random());
    private final Decision decision = new Decision();
    private long recorded;

    QueryLogSlowDiskTest() {
        byte[] message = Messages.query("www.example", Type.A).toWire();
        query.parse(message, message.length);
        decision.forwarded(Outcome.HIT, /* decider= */ null, 0);
    }

    /** A log target that writes the first chunk only when the test allows it. */
    private static final class Disk implements LogTarget {

        final CountDownLatch holds = new CountDownLatch(1);
        final CountDownLatch mayWrite = new CountDownLatch(1);
        final AtomicLong lines = new AtomicLong();
        volatile boolean isClosed;

        @Override
        public void write(byte[] bytes, int length) throws IOException {
            holds.countDown();
            try {
                mayWrite.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            lines.addAndGet(new String(bytes, 0, length, StandardCharsets.US_ASCII)
                    .lines()
                    .count());
        }

        @Override
        public void refresh() {}

        @Override
        public void close() {
            isClosed = true;
        }
    }

    @Test
    void hangingDiskDoesNotBlockMemoryAndListeners() throws Exception {
        Disk disk = new Disk();
        AtomicLong reports = new AtomicLong();
        log.attach(each -> reports.incrementAndGet());
        LogCounts counts = new LogCounts();
        QueryFile file = new QueryFile(Path.of("queries.log"), disk, new QueryLineFormatter(Format.JSON), counts);
        DnsLogging logging = logging();
        log.commit(new QueryLog.Prepared(LogOutputs.of(logging, file, /* dnstap= */ null), /* isForwarding= */ true));
        record();
        assertThat(disk.holds.await(10, TimeUnit.SECONDS)).isTrue();

        await(() -> {
            record();
            return counts.droppedCount() > 0;
        });
        await(() -> reports.get() == recorded);
        assertThat(log.newestQueries(MEMORY, each -> true)).hasSize(MEMORY);
        assertThat(counts.writtenCount()).isZero();
        assertThat(log.heartbeats()).hasSize(2);

        disk.mayWrite.countDown();
        log.close();
        assertThat(disk.isClosed).isTrue();
        assertThat(disk.lines.get()).isEqualTo(counts.writtenCount());
        assertThat(counts.writtenCount() + counts.droppedCount()).isEqualTo(recorded);
    }

    /** Records as many queries as fit in the ring, so that none is dropped there. */
    private void record() {
        long dropped = log.droppedCounts().get("queue");
        for (int i = 0; i < 100; i++) {
            assertThat(recorder.beginQuery()).isTrue();
            recorder.recordAnswer(
                    System.nanoTime(),
                    query,
                    CLIENT,
                    CLIENT.length,
                    4321,
                    SocketProtocol.UDP,
                    decision,
                    RESPONSE,
                    RESPONSE.length);
        }
        recorded += 100 - (log.droppedCounts().get("queue") - dropped);
    }

    private static DnsLogging logging() {
        DnsQueryLogConfig queries = new DnsQueryLogConfig(
                /* enabled= */ true,
                Optional.of(Path.of("queries.log")),
                Format.JSON,
                LogRotation.DEFAULT,
                /* authority= */ false,
                Clients.FULL,
                /* sample= */ 1,
                MEMORY);
        return new DnsLogging(queries, Optional.empty());
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }
}
