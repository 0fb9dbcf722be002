package io.ballast.config.keys.policy;

import io.ballast.config.key.Durations;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Sizes;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.policy.config.CacheConfig;
import java.time.Duration;
import java.util.Optional;

/** The keys of {@code policies.NAME.cache}. */
final class CacheKeys {

    private static final long MEBIBYTE = 1024 * 1024;

    private static final ShapeBuilder<CacheConfig> KEYS = Shape.named(
            "cache",
            "Stores responses to GET requests in memory, as their Cache-Control, Expires and Vary headers allow (RFC"
                    + " 9111, shared cache). One request of a URL goes to the backend; other requests of the URL wait"
                    + " for its response. Requests with credentials bypass the cache; responses with Set-Cookie are not"
                    + " stored.");

    private static final Key<Long> MEMORY = KEYS.optional(
            "memory",
            Sizes.range(CacheConfig.MIN_MEMORY_BYTES, CacheConfig.MAX_MEMORY_BYTES),
            CacheConfig.DEFAULT_MEMORY_BYTES,
            "maximum memory of all stored responses, on the Java heap; clients that read slowly count",
            CacheConfig::memoryBytes);
    private static final Key<Long> MAX_OBJECT = KEYS.optional(
            "max_object",
            Sizes.range(0, CacheConfig.MAX_MEMORY_BYTES / CacheConfig.MAX_OBJECT_SHARE),
            "maximum length of a stored body, at most a quarter of memory; default: 8MiB, or a quarter of memory if"
                    + " that is less",
            config -> Optional.of(config.maxObjectBytes())
                    .filter(bytes -> bytes != CacheConfig.defaultMaxObject(config.memoryBytes())));
    private static final Key<Duration> DEFAULT_TTL = KEYS.optional(
            "default_ttl",
            Durations.SECONDS,
            Duration.ZERO,
            "freshness lifetime of responses that have neither Cache-Control: max-age nor Expires nor Last-Modified;"
                    + " 0s: they are not stored",
            CacheConfig::defaultTtl);
    private static final Key<Duration> STALE_WHILE_REVALIDATE = KEYS.optional(
            "stale_while_revalidate",
            Durations.SECONDS,
            Duration.ZERO,
            "how long stale responses are used during their revalidation, if they do not specify it (RFC 5861)",
            CacheConfig::staleWhileRevalidate);
    private static final Key<Duration> STALE_IF_ERROR = KEYS.optional(
            "stale_if_error",
            Durations.SECONDS,
            Duration.ZERO,
            "how long stale responses are used while the backend fails, if they do not specify it (RFC 5861)",
            CacheConfig::staleIfError);
    private static final Key<Duration> MAX_WAIT = KEYS.optional(
            "max_wait",
            Durations.DURATION,
            CacheConfig.DEFAULT_MAX_WAIT,
            "how long a request waits for the response to another request of the same URL, 100ms to 1m; then it goes to"
                    + " the backend",
            CacheConfig::maxWait);
    private static final Key<Integer> MAX_WAITING = KEYS.optional(
            "max_waiting",
            Scalars.integer(0, CacheConfig.MAX_MAX_WAITING),
            CacheConfig.DEFAULT_MAX_WAITING,
            "maximum number of requests that wait at the same time; further requests go to the backend",
            CacheConfig::maxWaiting);
    private static final Key<Boolean> OBEY_CLIENTS = KEYS.optional(
            "obey_clients",
            Scalars.BOOLEAN,
            /* fallback= */ true,
            "whether Cache-Control and Pragma of requests take effect; false: a client cannot force a revalidation",
            CacheConfig::obeysClients);
    private static final Key<Boolean> STATUS_HEADER = KEYS.optional(
            "status_header",
            Scalars.BOOLEAN,
            /* fallback= */ false,
            "whether responses from the cache get a Cache-Status header (RFC 9211)",
            CacheConfig::statusHeader);

    static final Type<CacheConfig> CACHE = KEYS.build(CacheKeys::build);

    private CacheKeys() {}

    private static CacheConfig build(Values values) {
        long memory = values.get(MEMORY);
        long heap = Runtime.getRuntime().maxMemory();
        if (memory > heap / 2) {
            values.reading()
                    .warning(
                            values.node(MEMORY),
                            "more than half of the heap of this process, which has " + heap / MEBIBYTE
                                    + " MiB (expected: at most half; raise -Xmx)");
        }
        return new CacheConfig(
                memory,
                values.has(MAX_OBJECT) ? values.get(MAX_OBJECT) : CacheConfig.defaultMaxObject(memory),
                values.get(DEFAULT_TTL),
                values.get(STALE_WHILE_REVALIDATE),
                values.get(STALE_IF_ERROR),
                values.get(MAX_WAIT),
                values.get(MAX_WAITING),
                values.get(OBEY_CLIENTS),
                values.get(STATUS_HEADER));
    }
}
