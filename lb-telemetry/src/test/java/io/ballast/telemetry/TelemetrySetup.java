package io.ballast.telemetry;

import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.TracingConfig;
import io.ballast.policy.tracing.TracingPolicy;
import io.ballast.telemetry.config.OtlpConfig;
import io.ballast.telemetry.testing.RecordingCollector;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A collector, and the export of telemetry to this collector. */
final class TelemetrySetup implements AutoCloseable {

    static final TracingConfig ALL =
            new TracingConfig(TracingConfig.ALL, /* trustsAll= */ true, List.of(), /* honorsSampled= */ true, false);

    /** A batch delay that is longer than any test, so that spans stay queued until the export is stopped. */
    static final Duration ENDLESS = Duration.ofHours(1);

    private static final Duration SHORT = Duration.ofMillis(5);
    private static final int LOOPS = 2;

    final RecordingCollector collector = RecordingCollector.start();
    final Telemetry telemetry;

    /** Creates a setup that sends spans almost immediately. */
    TelemetrySetup() throws IOException {
        this(SHORT);
    }

    /** @param batchDelay the longest time that a span waits for further spans of its batch */
    TelemetrySetup(Duration batchDelay) throws IOException {
        telemetry = new Telemetry(LOOPS, "1.2.3", Clock.systemUTC(), batchDelay);
        send(OtlpConfig.of(collector.endpoint()));
    }

    /** Activates a configuration. */
    void send(OtlpConfig config) throws IOException {
        telemetry.prepare(Optional.of(config)).commit();
    }

    /** Returns a tracing policy with this configuration. */
    NamedPolicy policy(TracingConfig config) {
        return named("trace", new TracingPolicy(config, telemetry));
    }

    static NamedPolicy named(String name, Policy policy) {
        return new NamedPolicy(name, name, policy, /* dryRun= */ false, new Counters<>(PolicyCounter.class, LOOPS));
    }

    /** Returns the setup of a balancer that traces all requests. */
    BalancerSetup balancer() {
        return BalancerSetup.on(TransportKind.NIO).policies(policy(ALL));
    }

    /** Waits for the next spans that the collector receives. */
    List<Span> spans(int count) throws InterruptedException {
        List<Span> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(collector.nextSpan());
        }
        return all;
    }

    @Override
    public void close() {
        telemetry.close();
        collector.close();
    }
}
