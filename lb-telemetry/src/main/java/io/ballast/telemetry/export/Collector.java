package io.ballast.telemetry.export;

import io.ballast.core.ErrorText;
import io.ballast.telemetry.config.OtlpConfig;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A collector of traces and metrics, and the resource that they describe. Reports failures at most once a minute.
 *
 * <p>Thread safety: any thread may call any method; {@link #send} blocks.
 */
public final class Collector {

    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

    /** The logger of the exporters. The reference prevents its garbage collection, which would reset its level. */
    private static final java.util.logging.Logger EXPORTERS =
            java.util.logging.Logger.getLogger("io.opentelemetry.exporter");

    private static final String INSTANCE = UUID.randomUUID().toString();
    private static final long REPORT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final RetryPolicy RETRIES = RetryPolicy.builder()
            .setMaxAttempts(3)
            .setInitialBackoff(Duration.ofMillis(500))
            .setMaxBackoff(Duration.ofSeconds(2))
            .build();

    private final OtlpConfig config;
    private final Resource resource;
    private final byte @Nullable [] trustedCa;
    private long lastReport = System.nanoTime() - REPORT_NANOS;

    /**
     * @param version the version of Ballast
     * @throws IOException if the file with the CA certificates cannot be read or used; the message names it
     */
    public Collector(OtlpConfig config, String version) throws IOException {
        EXPORTERS.setLevel(java.util.logging.Level.OFF);
        this.config = config;
        this.resource = resource(config, version);
        Path file = config.trustedCa().orElse(null);
        this.trustedCa = file == null ? null : read(file);
    }

    private static byte[] read(Path file) throws IOException {
        try {
            byte[] pem = Files.readAllBytes(file);
            OtlpHttpSpanExporter.builder().setTrustedCertificates(pem); // checks the certificates
            return pem;
        } catch (IllegalStateException e) {
            throw new IOException("cannot use otlp.trusted_ca " + file + ": no certificates in PEM format", e);
        } catch (IOException e) {
            throw new IOException("cannot read otlp.trusted_ca " + file + ": " + ErrorText.reason(e), e);
        }
    }

    private static Resource resource(OtlpConfig config, String version) {
        AttributesBuilder attributes = Attributes.builder();
        attributes.put("service.name", config.serviceName());
        attributes.put("service.version", version);
        attributes.put("service.instance.id", INSTANCE);
        config.resource().forEach(attributes::put);
        return Resource.create(attributes.build());
    }

    /** The attributes of this process, which are part of all exported data. */
    public Resource resource() {
        return resource;
    }

    private String url(String path) {
        String base = config.endpoint().toString();
        return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + path;
    }

    /** Opens a channel for spans, owned by the caller. */
    public ExportChannel<SpanData> openSpans() {
        return new ExportChannel<>(
                this,
                () -> {
                    SpanExporter exporter = spanExporter();
                    return new ExportChannel.Exporter<>(exporter::export, exporter::shutdown);
                },
                "traces");
    }

    private SpanExporter spanExporter() {
        OtlpHttpSpanExporterBuilder builder = OtlpHttpSpanExporter.builder()
                .setEndpoint(url("/v1/traces"))
                .setTimeout(config.timeout())
                .setConnectTimeout(config.timeout())
                .setRetryPolicy(RETRIES)
                .setMeterProvider(MeterProvider.noop());
        config.headers().forEach(builder::addHeader);
        if (trustedCa != null) {
            builder.setTrustedCertificates(trustedCa);
        }
        return builder.build();
    }

    /** Opens a channel for metrics, owned by the caller. Counters are cumulative. */
    public ExportChannel<MetricData> openMetrics() {
        return new ExportChannel<>(
                this,
                () -> {
                    MetricExporter exporter = metricExporter();
                    return new ExportChannel.Exporter<>(exporter::export, exporter::shutdown);
                },
                "metrics");
    }

    private MetricExporter metricExporter() {
        OtlpHttpMetricExporterBuilder builder = OtlpHttpMetricExporter.builder()
                .setEndpoint(url("/v1/metrics"))
                .setTimeout(config.timeout())
                .setConnectTimeout(config.timeout())
                .setRetryPolicy(RETRIES)
                .setMeterProvider(MeterProvider.noop());
        config.headers().forEach(builder::addHeader);
        if (trustedCa != null) {
            builder.setTrustedCertificates(trustedCa);
        }
        return builder.build();
    }

    /** The result of a request. */
    enum Outcome {
        RECEIVED,
        FAILED,
        /** The request did not end in time. */
        TIMED_OUT
    }

    /**
     * Exports and waits for the result.
     *
     * @param what the exported data, for messages
     */
    Outcome send(Supplier<CompletableResultCode> export, String what) {
        try {
            CompletableResultCode result = export.get();
            result.join(config.timeout().toNanos(), TimeUnit.NANOSECONDS);
            if (result.isSuccess()) {
                return Outcome.RECEIVED;
            }
            boolean isDone = result.isDone();
            report(what, isDone ? result.getFailureThrowable() : null);
            return isDone ? Outcome.FAILED : Outcome.TIMED_OUT;
        } catch (RuntimeException e) { // for example, the HTTP client rejects a header
            report(what, e);
            return Outcome.FAILED;
        }
    }

    private synchronized void report(String what, @Nullable Throwable cause) {
        long now = System.nanoTime();
        if (now - lastReport >= REPORT_NANOS) {
            lastReport = now;
            LOG.warn(
                    "msg=\"cannot send {} to the collector\" endpoint={} reason=\"{}\"",
                    what,
                    config.endpoint(),
                    cause == null
                            ? "no answer within " + config.timeout().toMillis() + " ms"
                            : ErrorText.reason(cause));
        }
    }
}
