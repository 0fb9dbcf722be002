package io.ballast.telemetry.trace;

import io.ballast.core.log.LogLoop;
import io.ballast.core.log.RecordRing;
import io.ballast.http.trace.FinishedTrace;
import io.ballast.http.trace.RequestTrace;
import io.ballast.telemetry.export.Collector;
import io.ballast.telemetry.export.ExportChannel;
import io.ballast.telemetry.export.ExportCounters;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends recorded requests to a collector, on its own thread: takes them from the queues of the event loops, converts
 * them into spans, and sends these in batches. While the collector is slow or unreachable, the queues fill, and further
 * requests are dropped and counted.
 *
 * <p>Thread safety: each event loop calls {@link #offer} with its own index; any thread may call the other methods.
 */
public final class TraceExport {

    private static final Logger LOG = LoggerFactory.getLogger(TraceExport.class);

    /** A batch with this number of spans is sent immediately. */
    private static final int BATCH_SPANS = 512;

    private final RecordRing[] rings;
    private final Collector collector;
    private final ExportCounters counters;
    private final Clock clock;
    private final long batchNanos;
    private final ExportChannel<SpanData> exporter;
    private final SpanBuilder spans;
    private final LogLoop loop = new LogLoop("otlp-traces", new Turns());
    private final Thread thread;

    private TraceExport(
            Collector collector, int loops, int queueBytes, ExportCounters counters, Clock clock, Duration batchDelay) {
        this.collector = collector;
        this.counters = counters;
        this.clock = clock;
        this.batchNanos = batchDelay.toNanos();
        this.exporter = collector.openSpans();
        this.spans = new SpanBuilder(collector.resource());
        this.rings = new RecordRing[loops];
        int capacity = Integer.highestOneBit(queueBytes);
        for (int i = 0; i < loops; i++) {
            rings[i] = new RecordRing(capacity);
        }
        this.thread = loop.start();
    }

    /**
     * Starts the thread.
     *
     * @param loops the number of event loops
     * @param queueBytes the size of the queue of each event loop, rounded down to a power of two
     * @param batchDelay the longest time that a span waits for further spans of its batch
     */
    public static TraceExport start(
            Collector collector, int loops, int queueBytes, ExportCounters counters, Clock clock, Duration batchDelay) {
        return new TraceExport(collector, loops, queueBytes, counters, clock, batchDelay);
    }

    /** Queues a request from event loop {@code index}; if the queue is full, drops and counts it. */
    public void offer(int index, RequestTrace trace) {
        RecordRing ring = rings[index];
        if (!trace.offerTo(ring)) {
            counters.traceDropped();
        }
        if (ring.isHalfFull()) {
            loop.wakeUp();
        }
    }

    /** Tells the thread to send the queued requests and then to end. Does not wait. */
    public void stop() {
        loop.stop();
    }

    /** Waits at most {@code millis} milliseconds for the end of the thread; returns whether it has ended. */
    public boolean awaitEnd(long millis) {
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    private final class Turns implements LogLoop.Turns {

        private List<SpanData> batch = new ArrayList<>();
        private long batchBegan;

        @Override
        public boolean turn() {
            boolean any = read();
            boolean isDue = !batch.isEmpty() && System.nanoTime() - batchBegan >= batchNanos;
            if (isDue || batch.size() >= BATCH_SPANS) {
                send();
            }
            return any;
        }

        /** Reads the queues until the batch is full; returns whether there was a request. */
        private boolean read() {
            long clockOffset = epochNanos(clock.instant()) - System.nanoTime();
            int before = batch.size();
            for (RecordRing ring : rings) {
                while (batch.size() < BATCH_SPANS && ring.peek()) {
                    if (batch.isEmpty()) {
                        batchBegan = System.nanoTime();
                    }
                    append(ring, clockOffset);
                }
            }
            return batch.size() > before;
        }

        /**
         * Converts the current record of a queue. An exception loses only this request, and does not end the thread.
         */
        private void append(RecordRing ring, long clockOffset) {
            try {
                spans.append(FinishedTrace.read(ring), clockOffset, batch);
            } catch (RuntimeException e) {
                counters.spansLost(1);
                LOG.debug("cannot convert the trace of a request", e);
            } finally {
                ring.release();
            }
        }

        /** Sends the batch; returns false if the collector did not receive it. */
        private boolean send() {
            List<SpanData> sent = batch;
            batch = new ArrayList<>();
            loop.heartbeat().beginWait("the OTLP collector");
            try {
                boolean received = exporter.send(sent);
                if (received) {
                    counters.spansSent(sent.size());
                } else {
                    counters.spansLost(sent.size());
                }
                return received;
            } finally {
                loop.heartbeat().endWait();
            }
        }

        @Override
        public void end() {
            boolean receives = true;
            while (read() || !batch.isEmpty()) {
                if (receives) {
                    receives = send();
                } else {
                    counters.spansLost(batch.size());
                    batch.clear();
                }
            }
            exporter.shutdown();
        }
    }

    private static long epochNanos(Instant now) {
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
