package io.ballast.server.compose;

import io.ballast.dashboard.Dashboard;
import io.ballast.dashboard.ExpositionReading;
import io.ballast.telemetry.metric.MetricSource;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The metrics of the dashboard, for the OTLP export. There are none while the dashboard is off. Thread-safe.
 *
 * @param dashboard returns the running dashboard
 */
record DashboardMetrics(Supplier<Optional<Dashboard>> dashboard) implements MetricSource {

    @Override
    public Optional<Reading> read() {
        return dashboard.get().map(Dashboard::readMetrics).map(DashboardMetrics::reading);
    }

    private static Reading reading(ExpositionReading text) {
        return new Reading() {
            @Override
            public Optional<byte[]> next() throws IOException {
                return text.next();
            }

            @Override
            public void close() {
                text.close();
            }
        };
    }
}
