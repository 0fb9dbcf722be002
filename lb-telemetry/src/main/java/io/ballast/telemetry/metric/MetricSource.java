package io.ballast.telemetry.metric;

import java.io.IOException;
import java.util.Optional;

/** Provides the metrics of the process as text. Thread-safe. */
@FunctionalInterface
public interface MetricSource {

    /** A source without metrics. */
    MetricSource NONE = Optional::empty;

    /** Begins to read all metrics; returns empty if there are none now. */
    Optional<Reading> read();

    /** A text in the Prometheus text format, which is produced while it is read. Used by one thread. */
    interface Reading extends AutoCloseable {

        /**
         * Returns the next part of the text, in UTF-8; empty at its end. Blocks for a bounded time.
         *
         * @throws IOException if the text ends early; the message gives the reason
         */
        Optional<byte[]> next() throws IOException;

        @Override
        void close();
    }
}
