package io.ballast.telemetry.config;

import io.ballast.core.Checks;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The destination of traces and metrics, and how they are sent (<a
 * href="https://opentelemetry.io/docs/specs/otlp/#otlphttp">OTLP over HTTP</a>, with protobuf).
 *
 * @param endpoint the URL of the collector, to which {@code /v1/traces} and {@code /v1/metrics} are appended
 * @param headers header lines of the requests; their values may be secrets
 * @param traces whether traces are sent
 * @param metrics whether metrics are sent
 * @param interval the time between two exports of metrics
 * @param timeout the time limit of a request, including its retries
 * @param queueBytes the maximum size of the traces that each event loop queues; while its queue is full, traces are
 *     dropped and counted
 * @param serviceName the attribute {@code service.name} of the resource
 * @param resource further attributes of the resource
 * @param trustedCa a PEM file with the CA certificates that verify the collector; if absent, the certificates of the
 *     Java runtime are used
 */
public record OtlpConfig(
        URI endpoint,
        Map<String, String> headers,
        boolean traces,
        boolean metrics,
        Duration interval,
        Duration timeout,
        int queueBytes,
        String serviceName,
        Map<String, String> resource,
        Optional<Path> trustedCa) {

    public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);
    public static final Duration MIN_INTERVAL = Duration.ofSeconds(1);
    public static final Duration MAX_INTERVAL = Duration.ofHours(1);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
    public static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);
    public static final String DEFAULT_SERVICE_NAME = "ballast";
    public static final int DEFAULT_QUEUE_BYTES = 1 << 20;
    public static final int MIN_QUEUE_BYTES = 1 << 16;
    public static final int MAX_QUEUE_BYTES = 1 << 28;
    /** The maximum number of headers, and of attributes of the resource. */
    public static final int MAX_ENTRIES = 64;

    public OtlpConfig {
        Checks.between(queueBytes, MIN_QUEUE_BYTES, MAX_QUEUE_BYTES, "queue");
        Checks.that(!serviceName.isBlank(), "service_name", "''", "a name");
        Checks.between(headers.size(), 0, MAX_ENTRIES, "number of headers");
        Checks.between(resource.size(), 0, MAX_ENTRIES, "number of resource attributes");
        Checks.that(isBetween(interval, MIN_INTERVAL, MAX_INTERVAL), "interval", interval, "1s to 1h");
        Checks.that(isBetween(timeout, Duration.ofMillis(1), MAX_TIMEOUT), "timeout", timeout, "1ms to 1m");
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        resource = Collections.unmodifiableMap(new LinkedHashMap<>(resource));
    }

    /** Creates a configuration that sends traces and metrics; all other settings have their defaults. */
    public static OtlpConfig of(URI endpoint) {
        return new OtlpConfig(
                endpoint,
                Map.of(),
                /* traces= */ true,
                /* metrics= */ true,
                DEFAULT_INTERVAL,
                DEFAULT_TIMEOUT,
                DEFAULT_QUEUE_BYTES,
                DEFAULT_SERVICE_NAME,
                Map.of(),
                Optional.empty());
    }

    private static boolean isBetween(Duration value, Duration min, Duration max) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }

    /** Returns a text without the values of headers, which may be secrets. */
    @Override
    public String toString() {
        return "OtlpConfig[" + endpoint + ", headers " + headers.keySet() + "]";
    }
}
