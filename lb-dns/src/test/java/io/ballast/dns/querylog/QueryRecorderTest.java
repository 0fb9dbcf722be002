package io.ballast.dns.querylog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.ballast.dns.config.DnsLogging;
import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnsQueryLogConfig.Clients;
import io.ballast.dns.config.DnsQueryLogConfig.Format;
import io.ballast.dns.config.LogRotation;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.Query;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

class QueryRecorderTest {

    private static final byte[] CLIENT = {127, 0, 0, 1};
    private static final byte[] RESPONSE = new byte[40];
    private static final long TIMEOUT_SECONDS = 10;

    private final QueryLog log = new QueryLog((decider, detail) -> decider + ":" + detail);
    private final QueryRecorder recorder = log.recorder();
    private final Query query = new Query(NameHash.random());
    private final Decision decision = new Decision();

    QueryRecorderTest() {
        byte[] message = Messages.query("www.example", Type.A).toWire();
        query.parse(message, message.length);
        decision.forwarded(Outcome.MISS, "resolver", 7);
    }

    @AfterEach
    void stop() {
        log.close();
    }

    @Test
    void readsNoClockWhenDisabled() throws Exception {
        assertThat(recorder.beginQuery()).isFalse();

        log.commit(log.prepare(DnsLogging.DEFAULT, /* isForwarding= */ true));
        assertThat(recorder.beginQuery()).isTrue();

        log.commit(log.prepare(logging(/* sample= */ 1, /* memory= */ 0), /* isForwarding= */ true));
        assertThat(recorder.beginQuery()).isFalse();

        QueryListener listener = logged -> {};
        log.attach(listener);
        assertThat(recorder.beginQuery()).isTrue();
        log.detach(listener);
        assertThat(recorder.beginQuery()).isFalse();
    }

    @Test
    void disablingLogStopsRecordingAndClears() throws Exception {
        List<AnsweredQuery> logged = new CopyOnWriteArrayList<>();
        log.attach(new QueryListener() {
            @Override
            public void onAnswer(AnsweredQuery answered) {
                logged.add(answered);
            }

            @Override
            public void clear() {
                logged.clear();
            }
        });
        log.commit(log.prepare(DnsLogging.DEFAULT, /* isForwarding= */ true));
        record(10);
        await(() -> logged.size() == 10);

        log.commit(log.prepare(new DnsLogging(DnsQueryLogConfig.OFF, Optional.empty()), /* isForwarding= */ true));

        assertThat(log.isEnabled()).isFalse();
        assertThat(recorder.beginQuery()).isFalse();
        await(() -> logged.isEmpty() && log.newestQueries(10, each -> true).isEmpty());
    }

    @Test
    void anonymizationClearsAddresses() throws Exception {
        log.commit(log.prepare(DnsLogging.DEFAULT, /* isForwarding= */ true));
        record(10);
        await(() -> log.newestQueries(10, each -> true).size() == 10);

        log.commit(log.prepare(logging(Clients.NONE, /* sample= */ 1, /* memory= */ 1000), /* isForwarding= */ true));

        await(() -> log.newestQueries(10, each -> true).isEmpty());
        record(1);
        await(() -> log.newestQueries(10, each -> each.client().isEmpty()).size() == 1);
    }

    @Test
    void durationIncludesWaitingTime() throws Exception {
        log.commit(log.prepare(DnsLogging.DEFAULT, /* isForwarding= */ true));
        assertThat(recorder.beginQuery()).isTrue();
        recorder.recordAnswer(
                System.nanoTime() - TimeUnit.SECONDS.toNanos(3),
                query,
                CLIENT,
                CLIENT.length,
                4321,
                SocketProtocol.UDP,
                decision,
                RESPONSE,
                RESPONSE.length);

        await(() -> !log.newestQueries(1, each -> true).isEmpty());
        assertThat(log.newestQueries(1, each -> true).get(0).micros()).isGreaterThanOrEqualTo(3_000_000);
    }

    @Test
    void droppedEntriesAreCountedAndOrderIsKept() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch holds = new CountDownLatch(1);
        List<AnsweredQuery> logged = new CopyOnWriteArrayList<>();
        log.attach(answered -> {
            holds.countDown();
            await(held);
            logged.add(answered);
        });
        log.commit(log.prepare(DnsLogging.DEFAULT, /* isForwarding= */ true));
        record(1);
        await(holds);

        record(10_000);
        long dropped = log.droppedCounts().get("queue");
        held.countDown();
        await(() -> logged.size() == 10_001 - dropped);

        assertThat(dropped).isBetween(5_000L, 9_000L);
        assertThat(logged).extracting(AnsweredQuery::decider).containsOnly("resolver:7");
        assertThat(log.writtenCounts()).containsEntry("memory", 10_001 - dropped);
    }

    @Test
    void samplesEntries() throws Exception {
        log.commit(log.prepare(logging(/* sample= */ 10, /* memory= */ 1000), /* isForwarding= */ true));

        record(1_000);

        await(() -> log.newestQueries(1_000, each -> true).size() == 100);
        assertThat(log.samplingRate()).isEqualTo(10);
    }

    @Test
    void listenersAreBounded() {
        for (int i = 0; i < QueryLog.MAX_LISTENERS; i++) {
            log.attach(logged -> {});
        }

        assertThatThrownBy(() -> log.attach(logged -> {})).hasMessage("listeners: 17 (expected: <= 16)");
    }

    @Test
    void recordingAllocatesNothing() throws Exception {
        log.commit(log.prepare(DnsLogging.DEFAULT, /* isForwarding= */ true));
        record(20_000);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long min = Long.MAX_VALUE;

        for (int run = 0; run < 3; run++) {
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            record(10_000);
            min = Math.min(
                    min, threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before);
        }

        assertThat(min).isLessThan(10_000);
    }

    private void record(int times) {
        for (int i = 0; i < times; i++) {
            if (recorder.beginQuery()) {
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
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(BooleanSupplier condition) {
        long started = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - started).isLessThan(TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS));
            Thread.onSpinWait();
        }
    }

    private static DnsLogging logging(int sample, int memory) {
        return logging(Clients.FULL, sample, memory);
    }

    private static DnsLogging logging(Clients clients, int sample, int memory) {
        DnsQueryLogConfig queries = new DnsQueryLogConfig(
                /* enabled= */ true,
                Optional.empty(),
                Format.JSON,
                LogRotation.DEFAULT,
                /* authority= */ false,
                clients,
                sample,
                memory);
        return new DnsLogging(queries, Optional.empty());
    }
}
