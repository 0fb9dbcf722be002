package io.ballast.config.keys.telemetry;

import io.ballast.config.key.Durations;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.SecretType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.Checks;
import io.ballast.telemetry.config.OtlpConfig;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The keys of {@code otlp}. */
public final class OtlpKeys {

    private static final String EXPECTED_URL = "an http:// or https:// URL with a host, without query and user";

    private static final ShapeBuilder<OtlpConfig> KEYS = Shape.named(
            "otlp",
            "Sends traces and metrics to a collector over OTLP/HTTP, with protobuf. Traces need a policy of the"
                    + " kind `tracing`.");

    private static final Key<URI> ENDPOINT = KEYS.required(
            "endpoint",
            Scalars.TEXT.map(OtlpKeys::url, URI::toString),
            "URL of the collector, such as http://127.0.0.1:4318; /v1/traces and /v1/metrics are appended",
            OtlpConfig::endpoint);
    private static final Key<Map<String, String>> HEADERS = KEYS.optional(
            "headers",
            new NamedType<>(
                    SecretType.of(
                            "text", "1 to 4096 printable characters", "[ -~]{1,4096}", text -> text, text -> text),
                    "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}",
                    "a header name"),
            Map.of(),
            "headers of the requests, such as Authorization",
            OtlpConfig::headers);
    private static final Key<Boolean> TRACES = KEYS.optional(
            "traces", Scalars.BOOLEAN, /* fallback= */ true, "whether traces are sent", OtlpConfig::traces);
    private static final Key<Boolean> METRICS = KEYS.optional(
            "metrics",
            Scalars.BOOLEAN,
            /* fallback= */ true,
            "whether the metrics of /metrics are sent, with the same names; they need the dashboard or probes",
            OtlpConfig::metrics);
    private static final Key<Duration> INTERVAL = KEYS.optional(
            "interval",
            Durations.DURATION,
            OtlpConfig.DEFAULT_INTERVAL,
            "time between two exports of metrics, from 1s to 1h",
            OtlpConfig::interval);
    private static final Key<Duration> TIMEOUT = KEYS.optional(
            "timeout",
            Durations.DURATION,
            OtlpConfig.DEFAULT_TIMEOUT,
            "maximum time of a request to the collector with its repetitions, at most 1m",
            OtlpConfig::timeout);
    private static final Key<Integer> QUEUE = KEYS.optional(
            "queue",
            Sizes.between(OtlpConfig.MIN_QUEUE_BYTES, OtlpConfig.MAX_QUEUE_BYTES),
            OtlpConfig.DEFAULT_QUEUE_BYTES,
            "size of each event loop's buffer for unsent traces, rounded down to a power of two; while it is full,"
                    + " traces are counted but not sent",
            OtlpConfig::queueBytes);
    private static final Key<String> SERVICE_NAME = KEYS.optional(
            "service_name",
            Scalars.matching("name", "1 to 255 characters without line breaks", "\\S[\\S ]{0,254}"),
            OtlpConfig.DEFAULT_SERVICE_NAME,
            "the resource attribute service.name",
            OtlpConfig::serviceName);
    private static final Key<Map<String, String>> RESOURCE = KEYS.optional(
            "resource",
            new NamedType<>(Scalars.TEXT),
            Map.of(),
            "further resource attributes, such as deployment.environment.name",
            OtlpConfig::resource);
    private static final Key<Path> TRUSTED_CA = KEYS.optional(
            "trusted_ca",
            new FileType(),
            "PEM file with the CA certificates that verify the collector; default: those of the Java runtime",
            OtlpConfig::trustedCa);

    public static final Type<OtlpConfig> OTLP = KEYS.build(OtlpKeys::build);

    private OtlpKeys() {}

    private static OtlpConfig build(Values values) {
        return new OtlpConfig(
                values.get(ENDPOINT),
                values.get(HEADERS),
                values.get(TRACES),
                values.get(METRICS),
                values.get(INTERVAL),
                values.get(TIMEOUT),
                values.get(QUEUE),
                values.get(SERVICE_NAME),
                values.get(RESOURCE),
                values.find(TRUSTED_CA));
    }

    private static URI url(String text) {
        try {
            URI url = new URI(text);
            boolean isHttp = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
            boolean isPlain = url.getUserInfo() == null && url.getRawQuery() == null && url.getRawFragment() == null;
            Checks.that(isHttp && url.getHost() != null && isPlain, "url", text, EXPECTED_URL);
            return url;
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("url: " + text + " (expected: " + EXPECTED_URL + ")", e);
        }
    }
}
