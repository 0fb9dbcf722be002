package io.ballast.telemetry.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.util.Collection;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends one kind of data to a collector. An exporter whose request did not end in time is replaced, because the threads
 * of an exporter read an answer without a time limit: a collector that never completes its answers would block all of
 * them, and the exporter could not be used again.
 *
 * <p>Thread safety: any thread may call any method; {@link #send} blocks.
 *
 * @param <T> the type of the data
 */
public final class ExportChannel<T> {

    /** An exporter of the OpenTelemetry SDK. */
    record Exporter<T>(Function<Collection<T>, CompletableResultCode> export, Runnable shutdown) {}

    private final Collector collector;
    private final Supplier<Exporter<T>> factory;
    private final String what;
    private Exporter<T> exporter; // guarded by this
    private boolean closed; // guarded by this

    /** @param what the exported data, for messages */
    ExportChannel(Collector collector, Supplier<Exporter<T>> factory, String what) {
        this.collector = collector;
        this.factory = factory;
        this.what = what;
        this.exporter = factory.get();
    }

    /** Sends data and waits for the result; returns false if the request failed or did not end in time. */
    public boolean send(Collection<T> data) {
        Exporter<T> used = current();
        Collector.Outcome outcome = collector.send(() -> used.export().apply(data), what);
        if (outcome == Collector.Outcome.TIMED_OUT) {
            replace(used);
        }
        return outcome == Collector.Outcome.RECEIVED;
    }

    private synchronized Exporter<T> current() {
        return exporter;
    }

    @SuppressWarnings("ReferenceEquality") // another exporter may have replaced this one
    private synchronized void replace(Exporter<T> stuck) {
        if (!closed && exporter == stuck) {
            stuck.shutdown().run();
            exporter = factory.get();
        }
    }

    /** Cancels the request in progress; later data is not sent. Does not wait. */
    public synchronized void shutdown() {
        closed = true;
        exporter.shutdown().run();
    }
}
