package io.ballast.telemetry.metric;

import io.ballast.core.ErrorText;
import io.ballast.telemetry.export.Collector;
import io.ballast.telemetry.export.ExportChannel;
import io.ballast.telemetry.export.ExportCounters;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends all metrics to a collector at an interval, on its own thread. A slow or unreachable collector delays the next
 * export.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class MetricExport {

    private static final Logger LOG = LoggerFactory.getLogger(MetricExport.class);

    /** The number of values in a request, so that its size is about 100 KiB. */
    private static final int BATCH_POINTS = 1000;

    private final Collector collector;
    private final MetricSource source;
    private final ExportCounters counters;
    private final Clock clock;
    private final ExportChannel<MetricData> exporter;
    private final long startNanos;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread daemon = new Thread(task, "otlp-metrics");
        daemon.setDaemon(true);
        return daemon;
    });
    /** Whether the collector received the last request of the current export. Confined to the thread. */
    private boolean receives;

    private MetricExport(
            Collector collector, MetricSource source, ExportCounters counters, Instant processStart, Clock clock) {
        this.collector = collector;
        this.source = source;
        this.counters = counters;
        this.clock = clock;
        this.startNanos = epochNanos(processStart);
        this.exporter = collector.openMetrics();
    }

    /**
     * Starts the thread; the first export follows after an interval.
     *
     * @param processStart the time since which counters count
     */
    public static MetricExport start(
            Collector collector,
            MetricSource source,
            ExportCounters counters,
            Duration interval,
            Instant processStart,
            Clock clock) {
        MetricExport started = new MetricExport(collector, source, counters, processStart, clock);
        long nanos = interval.toNanos();
        started.thread.scheduleWithFixedDelay(started::export, nanos, nanos, TimeUnit.NANOSECONDS);
        return started;
    }

    private void export() {
        try {
            source.read().ifPresent(this::export);
        } catch (RuntimeException e) {
            LOG.error("cannot read the metrics for the collector", e);
        }
    }

    private void export(MetricSource.Reading reading) {
        receives = true;
        ExpositionReader reader = new ExpositionReader(
                collector.resource(), startNanos, epochNanos(clock.instant()), BATCH_POINTS, this::send);
        try (reading) {
            for (var part = reading.next(); part.isPresent(); part = reading.next()) {
                reader.read(part.get());
            }
            reader.end();
        } catch (IOException e) {
            LOG.warn("msg=\"cannot read the metrics for the collector\" reason=\"{}\"", ErrorText.of(e));
        }
    }

    /** Sends a batch, unless the collector did not receive the previous batch. */
    private void send(ExpositionReader.Batch batch) {
        receives = receives && exporter.send(batch.metrics());
        if (receives) {
            counters.pointsSent(batch.points());
        } else {
            counters.pointsLost(batch.points());
        }
    }

    /** Stops without a last export. Does not wait. */
    public void stop() {
        thread.shutdown();
        exporter.shutdown();
    }

    /**
     * Exports once more and stops, waiting at most {@code millis} milliseconds; returns false if the export did not end
     * in time.
     */
    public boolean finish(long millis) {
        thread.execute(this::export);
        thread.shutdown();
        try {
            return thread.awaitTermination(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            exporter.shutdown();
        }
    }

    private static long epochNanos(Instant now) {
        return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    }
}
