package io.ballast.config.longform;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.telemetry.config.OtlpConfig;

/** Checks that the metrics for a collector have a source: the dashboard or its probes. */
final class SentMetrics {

    private static final String OTLP = "otlp";

    private SentMetrics() {}

    /** Warns if metrics are configured that cannot be sent. */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        if (config.otlp().filter(OtlpConfig::metrics).isPresent()
                && !config.dashboard().isServed()) {
            root.entry(OTLP)
                    .ifPresent(entry ->
                            reading.warning(entry, "no metrics are sent, because the dashboard and probes are off"));
        }
    }
}
