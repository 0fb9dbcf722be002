package io.ballast.config.shorthand;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.http.ListenerTlsKeys;
import io.ballast.config.longform.LongFormHints;
import io.ballast.core.config.BackendConnections;
import io.ballast.core.config.TlsFiles;
import io.ballast.http.config.ClientDeadlines;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.ListenerTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The keys of {@code server} in the short form. */
record ShortServer(
        ClientDeadlines deadlines,
        ClientLimits limits,
        Duration responseTimeout,
        Duration grace,
        Optional<ListenerTls> tls) {

    /** Divisor's limit for the size of a request body, in bytes. */
    private static final long MAX_BODY = 4L * 1024 * 1024;

    /** The settings for a shorthand file that has no {@code server} section. */
    static final ShortServer DEFAULT = new ShortServer(
            ClientDeadlines.DEFAULT,
            ClientLimits.DEFAULT.withBody(MAX_BODY),
            BackendConnections.DEFAULT.responseTimeout(),
            BallastConfig.DEFAULT_GRACE,
            /* tls= */ Optional.empty());

    private static final List<String> ONLY_HTTP_1 = List.of("http/1.1");
    private static final String HTTP_2 = "http2";

    private static final ShapeBuilder<ShortServer> KEYS =
            Shape.named("short_server", "Limits and deadlines for clients.");

    private static final Key<Optional<Integer>> CONCURRENCY = KEYS.shorthand(
            "concurrency",
            ShortTypes.upTo(Integer.MAX_VALUE),
            "maximum number of open client connections (limits.connections); 0 for the default");
    private static final Key<Optional<Duration>> READ_TIMEOUT = KEYS.shorthand(
            "read_timeout",
            ShortTypes.DURATION,
            "timeout for a request's head, and between two reads of its body (deadlines.request_head, .request_body_idle)");
    private static final Key<Optional<Duration>> WRITE_TIMEOUT = KEYS.shorthand(
            "write_timeout",
            ShortTypes.DURATION,
            "timeout between two writes that the client accepts (deadlines.response_idle)");
    private static final Key<Optional<Duration>> IDLE_TIMEOUT = KEYS.shorthand(
            "idle_timeout",
            ShortTypes.DURATION,
            "idle timeout between two requests on a connection (deadlines.keep_alive)");
    private static final Key<Optional<Duration>> PROXY_TIMEOUT = KEYS.shorthand(
            "proxy_timeout",
            ShortTypes.DURATION,
            "timeout until the response head arrives (connections.response_timeout); 0s for the default");
    private static final Key<Optional<Integer>> MAX_REQUEST_BODY_SIZE = KEYS.shorthand(
            "max_request_body_size",
            ShortTypes.upTo(Integer.MAX_VALUE),
            "maximum size of a request body in bytes (limits.body); 0 for the default, 4194304 (4 MiB)");
    private static final Key<Boolean> DISABLE_KEEPALIVE = KEYS.shorthand(
            "disable_keepalive",
            Scalars.BOOLEAN,
            "true: one request on each connection (limits.requests_per_connection: 1)");
    private static final Key<Integer> MAX_REQUESTS_PER_CONN = KEYS.shorthand(
            "max_requests_per_conn",
            Scalars.integer(0, Integer.MAX_VALUE),
            "maximum number of requests on one connection (limits.requests_per_connection); 0 for no limit");
    private static final Key<Integer> MAX_CONNS_PER_IP = KEYS.shorthand(
            "max_conns_per_ip",
            Scalars.integer(0, Integer.MAX_VALUE),
            "maximum number of open connections of one client address (limits.connections_per_client); 0"
                    + " for no limit");
    private static final Key<Optional<Duration>> GRACEFUL_SHUTDOWN_TIMEOUT = KEYS.shorthand(
            "graceful_shutdown_timeout",
            ShortTypes.DURATION,
            "maximum time that a shutdown waits for exchanges in flight (grace); 0s for the default");

    private static final Key<String> HTTP_VERSION = KEYS.shorthand(
            "http_version",
            Scalars.matching("version", "http1 or http2", "|http1|http1\\.1|http2"),
            "http2: also offer HTTP/2 to clients, which requires cert_file; http1 (default): HTTP/1 only (tls.alpn)");
    private static final Key<Optional<Path>> CERT_FILE =
            KEYS.shorthand("cert_file", new ShortFile(), "certificate file; enables TLS for clients (tls.certificate)");
    private static final Key<Optional<Path>> KEY_FILE =
            KEYS.shorthand("key_file", new ShortFile(), "private key file of the certificate (tls.key)");

    static {
        KEYS.ignored("max_idle_worker_duration", "not applicable: Ballast has no worker threads");
        KEYS.ignored("tcp_keepalive_period", "the keep-alive period of the operating system applies");
        KEYS.ignored("disable_header_names_normalizing", "header names are never changed");
        KEYS.ignored("tls_min_version", "TLS 1.2 and 1.3 are supported; see tls.profile of the long form");
        KEYS.ignored("read_buffer_size", "see limits.head of the long form");
        KEYS.ignored("write_buffer_size", "responses are forwarded as they arrive");
        KEYS.ignored("dns_cache_duration", "this version does not support this key");
        KEYS.ignored("streaming", "bodies are always streamed");
        KEYS.ignored("stream_idle_timeout", "see the deadlines of the long form");
        KEYS.unknownKeyHints(LongFormHints::ofServer);
    }

    static final Type<ShortServer> SERVER = KEYS.build(ShortServer::build);

    private static ShortServer build(Values values) {
        boolean offersHttp2 = values.find(HTTP_VERSION).filter(HTTP_2::equals).isPresent();
        if (offersHttp2 && !values.has(CERT_FILE) && !values.isInvalid(CERT_FILE)) {
            values.reading()
                    .error(
                            values.node(HTTP_VERSION),
                            "http2 requires a certificate (expected: cert_file and key_file, or http1)");
        }
        for (Key<?> key : List.of(READ_TIMEOUT, WRITE_TIMEOUT, IDLE_TIMEOUT)) {
            if (values.find(key).filter(Optional.empty()::equals).isPresent()) {
                values.reading().warning(values.node(key), "this timeout cannot be disabled; the default is used");
            }
        }
        ClientDeadlines deadlines = DEFAULT.deadlines;
        ClientLimits limits = DEFAULT.limits;
        return new ShortServer(
                new ClientDeadlines(
                        valueOrDefault(values, READ_TIMEOUT, deadlines.requestHead()),
                        valueOrDefault(values, READ_TIMEOUT, deadlines.requestBodyIdle()),
                        valueOrDefault(values, WRITE_TIMEOUT, deadlines.responseIdle()),
                        valueOrDefault(values, IDLE_TIMEOUT, deadlines.keepAlive())),
                limits.with(
                        values.find(MAX_REQUEST_BODY_SIZE)
                                .flatMap(size -> size)
                                .map(Integer::longValue)
                                .orElse(limits.bodyBytes()),
                        valueOrDefault(values, CONCURRENCY, limits.connections()),
                        values.find(MAX_CONNS_PER_IP).orElse(limits.connectionsPerClient()),
                        requestsPerConnection(values)),
                valueOrDefault(values, PROXY_TIMEOUT, DEFAULT.responseTimeout),
                valueOrDefault(values, GRACEFUL_SHUTDOWN_TIMEOUT, DEFAULT.grace),
                tls(values, offersHttp2));
    }

    private static Optional<ListenerTls> tls(Values values, boolean offersHttp2) {
        Optional<Path> certificate = values.find(CERT_FILE).flatMap(file -> file);
        Optional<Path> key = values.find(KEY_FILE).flatMap(file -> file);
        if (certificate.isPresent() != key.isPresent()) {
            Key<?> given = key.isPresent() ? KEY_FILE : CERT_FILE;
            values.reading().error(values.node(given), "cert_file and key_file must be set together; one is missing");
            return Optional.of(ListenerTlsKeys.PLACEHOLDER);
        }
        return certificate
                .map(file -> ListenerTls.of(new TlsFiles(file, key.orElseThrow())))
                .map(tls -> offersHttp2 ? tls : tls.withAlpn(ONLY_HTTP_1));
    }

    private static int requestsPerConnection(Values values) {
        return values.find(DISABLE_KEEPALIVE).orElse(false)
                ? 1
                : values.find(MAX_REQUESTS_PER_CONN).orElse(DEFAULT.limits.requestsPerConnection());
    }

    private static <T> T valueOrDefault(Values values, Key<Optional<T>> key, T fallback) {
        return values.find(key).flatMap(value -> value).orElse(fallback);
    }
}
