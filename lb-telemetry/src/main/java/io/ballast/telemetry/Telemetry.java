package io.ballast.telemetry;

import io.ballast.core.control.PreparedChange;
import io.ballast.http.trace.RequestTrace;
import io.ballast.http.trace.TraceSink;
import io.ballast.telemetry.config.OtlpConfig;
import io.ballast.telemetry.export.Collector;
import io.ballast.telemetry.export.ExportCounters;
import io.ballast.telemetry.metric.MetricExport;
import io.ballast.telemetry.metric.MetricSource;
import io.ballast.telemetry.trace.TraceExport;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The export of traces and metrics that the active configuration describes. Without {@code otlp}, it has no thread and no
 * queue.
 *
 * <p>Thread safety: any thread may call any method; each event loop calls {@link #offer} with its own index.
 */
public final class Telemetry implements TraceSink, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Telemetry.class);

    /** The longest wait at shutdown for a collector that does not answer. */
    private static final long MAX_WAIT_MILLIS = TimeUnit.SECONDS.toMillis(5);

    private static final Duration BATCH_DELAY = Duration.ofSeconds(1);

    private final int loops;
    private final String version;
    private final Clock clock;
    private final Duration batchDelay;
    private final Instant processStart;
    private final ExportCounters counters = new ExportCounters();
    private Optional<OtlpConfig> config = Optional.empty();
    private volatile @Nullable TraceExport traces;
    private @Nullable MetricExport metrics;
    private volatile MetricSource source = MetricSource.NONE;

    /**
     * Creates an object that exports nothing.
     *
     * @param loops the number of event loops
     * @param version the version of Ballast
     */
    public Telemetry(int loops, String version, Clock clock) {
        this(loops, version, clock, BATCH_DELAY);
    }

    /** @param batchDelay the longest time that a span waits for further spans of its batch */
    Telemetry(int loops, String version, Clock clock, Duration batchDelay) {
        this.loops = loops;
        this.version = version;
        this.clock = clock;
        this.batchDelay = batchDelay;
        this.processStart = clock.instant();
    }

    /** Sets the source of metrics. */
    public void setSource(MetricSource next) {
        source = next;
    }

    /** The counts of sent and lost data. */
    public ExportCounters counters() {
        return counters;
    }

    /**
     * Prepares the export of the next configuration. An unchanged configuration keeps its queues.
     *
     * @throws IOException if a file cannot be read or used; the message names it
     */
    public synchronized PreparedChange prepare(Optional<OtlpConfig> next) throws IOException {
        if (next.equals(config)) {
            return PreparedChange.NOTHING;
        }
        if (next.isEmpty()) {
            return new Change(next, /* traces= */ null, /* metrics= */ null);
        }
        OtlpConfig wanted = next.get();
        Collector collector = new Collector(wanted, version);
        return new Change(
                next,
                wanted.traces()
                        ? TraceExport.start(collector, loops, wanted.queueBytes(), counters, clock, batchDelay)
                        : null,
                wanted.metrics()
                        ? MetricExport.start(
                                collector, () -> source.read(), counters, wanted.interval(), processStart, clock)
                        : null);
    }

    @Override
    public boolean isActive() {
        return traces != null;
    }

    @Override
    public void offer(int loop, RequestTrace trace) {
        TraceExport current = traces;
        if (current != null) {
            current.offer(loop, trace);
        }
    }

    /** Sends the metrics a last time, waiting up to five seconds. Later metrics are not sent. */
    public synchronized void finishMetrics() {
        MetricExport last = metrics;
        metrics = null;
        if (last != null && !last.finish(MAX_WAIT_MILLIS)) {
            LOG.warn("msg=\"the collector did not answer at shutdown; the last metrics are lost\"");
        }
    }

    /** Sends the queued traces, waiting up to five seconds. */
    @Override
    public synchronized void close() {
        TraceExport last = traces;
        traces = null;
        config = Optional.empty();
        if (metrics != null) {
            metrics.stop();
            metrics = null;
        }
        if (last != null) {
            last.stop();
            if (!last.awaitEnd(MAX_WAIT_MILLIS)) {
                LOG.warn("msg=\"the collector did not answer at shutdown; the queued traces are lost\"");
            }
        }
    }

    private synchronized void replace(Change change) {
        TraceExport before = traces;
        config = change.next;
        traces = change.traces;
        if (before != null) {
            before.stop(); // the thread still sends the queued traces
        }
        if (metrics != null) {
            metrics.stop();
        }
        metrics = change.metrics;
    }

    private final class Change implements PreparedChange {

        private final Optional<OtlpConfig> next;
        private final @Nullable TraceExport traces;
        private final @Nullable MetricExport metrics;
        private boolean committed;

        Change(Optional<OtlpConfig> next, @Nullable TraceExport traces, @Nullable MetricExport metrics) {
            this.next = next;
            this.traces = traces;
            this.metrics = metrics;
        }

        @Override
        public void commit() {
            committed = true;
            replace(this);
        }

        @Override
        public void close() {
            if (committed) {
                return;
            }
            if (traces != null) {
                traces.stop();
            }
            if (metrics != null) {
                metrics.stop();
            }
        }
    }
}
