package io.ballast.config.imports.divisor;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportException;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedForwarding.Header;
import io.ballast.config.imports.ImportedForwarding.Policy;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.ImportedRoute;
import io.ballast.config.imports.Options;
import io.ballast.core.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys of a Divisor configuration file and their meaning. Thread safety: confined to one thread. */
final class DivisorFile {

    private static final String POOL = "default";
    private static final int MAX_BACKENDS = 10_000;
    private static final int QUEUE = 1024;
    private static final Pattern GO_DURATION =
            Pattern.compile("(?:([0-9]+)h)?(?:([0-9]+)m(?!s))?(?:([0-9]+)s)?(?:([0-9]+)ms)?");
    private static final Map<String, String> STRATEGIES = Map.of(
            "round-robin", "round-robin",
            "w-round-robin", "weighted-round-robin",
            "ip-hash", "ip-hash",
            "random", "random",
            "least-connection", "least-connection",
            "least-response-time", "least-response-time");
    private static final Map<String, String> WITHOUT_MEANING = Map.of(
            "server.max_idle_worker_duration", "not applicable: Ballast has no worker threads",
            "server.tcp_keepalive_period", "not supported: the operating system's keepalive interval applies");

    private final Map<String, Directive> keys;
    private final Path directory;
    private final ImportReport report;
    private final ImportedConfig config = new ImportedConfig();
    private final Options pool = config.pool(POOL);

    DivisorFile(Map<String, Directive> keys, Path directory, ImportReport report) {
        this.keys = keys;
        this.directory = directory;
        this.report = report;
    }

    ImportedConfig config() throws ImportException {
        String port = text("port").orElseThrow(() -> new ImportException("port: missing (expected: a port number)"));
        String host = text("host").orElse("localhost").replaceFirst("^localhost$", "127.0.0.1");
        find("host").ifPresent(report::addSame);
        ImportedListener listener = new ImportedListener("default", host + ":" + port, "http");
        find("port").ifPresent(report::addSame);
        backends();
        strategy();
        health();
        // Divisor sends the backend's address in Host, and the client's address in a single header.
        pool.put("host", "backend");
        listener.forwarding().put(Header.FOR, Policy.REPLACE);
        Set.of(Header.PROTO, Header.HOST, Header.PORT, Header.FORWARDED)
                .forEach(header -> listener.forwarding().put(header, Policy.REMOVE));
        listener.options().put("upgrades", List.of());
        server(listener.options());
        headers();
        monitoring();
        middlewares();
        new TreeMap<>(WITHOUT_MEANING)
                .forEach((key, why) -> find(key).ifPresent(found -> report.addChanged(found, why)));
        listener.routes()
                .add(ImportedRoute.toPool(
                        ImportedConditions.ALL, POOL, keys.values().iterator().next()));
        config.listeners().add(listener);
        return config;
    }

    private void backends() throws ImportException {
        pool.put("strategy", "round-robin");
        List<Object> backends = new ArrayList<>();
        int count = 0;
        while (count < MAX_BACKENDS) {
            String at = "backends[" + count + "]";
            Optional<Directive> url = find(at + ".url").or(() -> find(at));
            if (url.isEmpty()) {
                break;
            }
            backends.add(backend(url.get(), at));
            count++;
        }
        if (backends.isEmpty()) {
            throw new ImportException("backends: empty (expected: at least one backend with a url)");
        }
        pool.put("backends", backends);
        // Divisor's own limits apply if the file sets none.
        Map<String, Object> defaults = new LinkedHashMap<>();
        defaults.put("connections.max_in_flight", 512);
        defaults.put("queue.timeout", "30s");
        defaults.put("connections.max_age", "10s");
        defaults.put("connections.idle_timeout", "10s");
        defaults.put("retry.attempts", 5);
        defaults.put("retry.same_backend", true);
        defaults.forEach((path, value) -> {
            if (pool.get(path).isEmpty()) {
                pool.put(path, value);
            }
        });
        pool.put("queue.size", QUEUE);
    }

    private Object backend(Directive url, String at) throws ImportException {
        String text = url.word(1).replaceFirst("^http://", "").replaceFirst("/$", "");
        if (text.contains("/") || text.contains("@")) {
            throw new ImportException(
                    url.file() + ":" + url.line() + ": " + url.displayText() + " (expected: host:port)");
        }
        String address = text.matches(".*[^:]:[0-9]+") ? text : text + ":80";
        report.addSame(url);
        find(at + ".health_check_path").ifPresent(path -> putPoolValue(path, "health.path", path.word(1)));
        positive(at + ".max_conn", "connections.max_in_flight");
        positive(at + ".max_idemponent_call_attempts", "retry.attempts");
        positive(at + ".max_idempotent_call_attempts", "retry.attempts");
        duration(at + ".max_conn_duration", (directive, time) -> putPoolValue(directive, "connections.max_age", time));
        duration(
                at + ".max_idle_conn_duration",
                (directive, time) -> putPoolValue(directive, "connections.idle_timeout", time));
        duration(at + ".max_conn_timeout", (directive, time) -> putPoolValue(directive, "queue.timeout", time));
        Optional<Directive> weight = find(at + ".weight");
        if (weight.isEmpty()) {
            return address;
        }
        report.addSame(weight.get());
        Map<String, Object> backend = new LinkedHashMap<>();
        backend.put("address", address);
        backend.put("weight", number(weight.get().word(1)));
        return backend;
    }

    /**
     * Sets a pool value that Divisor configures per backend; uses the first backend's value for the whole pool.
     */
    private void putPoolValue(Directive directive, String path, Object value) {
        Object before = pool.get(path).orElse(value);
        pool.put(path, before);
        if (before.equals(value)) {
            report.addSame(directive);
        } else {
            report.addChanged(directive, path + " is set per pool; the value used for all backends is " + before);
        }
    }

    private void positive(String key, String path) {
        find(key).ifPresent(directive -> {
            if (directive.word(1).matches("[1-9][0-9]{0,8}")) {
                putPoolValue(directive, path, Integer.valueOf(directive.word(1)));
            } else {
                report.addChanged(directive, "not a positive number; the default applies");
            }
        });
    }

    private void strategy() {
        Optional<Directive> type = find("type");
        String name = type.map(directive -> directive.word(1)).orElse("round-robin");
        String strategy = STRATEGIES.getOrDefault(name, "");
        pool.put("strategy", strategy.isEmpty() ? "round-robin" : strategy);
        type.ifPresent(directive -> {
            switch (strategy) {
                case "" -> report.addUnsupported(directive, "unsupported strategy; round-robin is used instead");
                case "ip-hash" -> report.addChanged(directive, "clients may be assigned to other backends than before");
                case "least-response-time" ->
                    report.addChanged(directive, "backends are selected by response time and requests in flight");
                case "weighted-round-robin" ->
                    report.addChanged(
                            directive, "same shares, but the requests are interleaved (smooth weighted round-robin)");
                default -> report.addSame(directive);
            }
        });
    }

    private void health() {
        pool.put("health.type", "http");
        pool.put("health.expect", 200);
        pool.put("health.interval", "30s");
        pool.put("health.timeout", "5s");
        pool.put("health.rise", 1);
        pool.put("health.fall", 1);
        duration("health_checker_time", (directive, time) -> {
            pool.put("health.interval", time);
            report.addChanged(directive, "a backend that is down is rechecked before this interval has passed");
        });
    }

    private void server(Options listener) {
        duration("server.read_timeout", (directive, time) -> {
            listener.put("deadlines.request_head", time);
            listener.put("deadlines.request_body_idle", time);
            report.addChanged(directive, "limits the time for the request head and between two reads of the body");
        });
        duration("server.write_timeout", (directive, time) -> {
            listener.put("deadlines.response_idle", time);
            report.addChanged(directive, "limits the time between two writes of the response");
        });
        duration("server.idle_timeout", (directive, time) -> {
            listener.put("deadlines.keep_alive", time);
            report.addSame(directive);
        });
        pool.put("connections.response_timeout", "1m");
        duration("server.proxy_timeout", (directive, time) -> {
            pool.put("connections.response_timeout", time);
            report.addChanged(
                    directive, "limits the time until the response head; it does not apply to response bodies");
        });
        listener.put("limits.body", "4MiB");
        positive("server.max_request_body_size", size -> listener.put("limits.body", size + "B"));
        listener.put("limits.connections", 262_144);
        positive("server.concurrency", max -> listener.put("limits.connections", number(max)));
        find("server.disable_keepalive").ifPresent(directive -> {
            if (directive.word(1).equals("true")) {
                listener.put("limits.requests_per_connection", 1);
            }
            report.addSame(directive);
        });
        file("server.cert_file", listener, "tls.certificate");
        file("server.key_file", listener, "tls.key");
        boolean offersHttp2 =
                text("server.http_version").filter("http2"::equals).isPresent();
        if (!offersHttp2 && listener.get("tls").isPresent()) {
            listener.put("tls.alpn", List.of("http/1.1"));
        }
        find("server.http_version").ifPresent(report::addSame);
    }

    private void file(String key, Options listener, String path) {
        find(key).ifPresent(directive -> {
            if (!directive.word(1).isEmpty()) {
                listener.put(path, directory.resolve(directive.word(1)).toString());
            }
            report.addSame(directive);
        });
    }

    private void headers() {
        withPrefix("custom_headers.").forEach((name, directive) -> {
            boolean isTime = directive.word(1).equals("$time");
            pool.putIn("headers.request.set", name, isTime ? "$time_ms" : directive.word(1));
            switch (directive.word(1)) {
                case "$time" ->
                    report.addChanged(directive, "the time is always in UTC, not in the machine's time zone");
                case "$incremental" -> report.addChanged(directive, "counts the requests of the listener");
                default -> report.addSame(directive);
            }
        });
    }

    private void monitoring() {
        String host = text("monitoring.host").orElse("localhost").replaceFirst("^localhost$", "127.0.0.1");
        String port = text("monitoring.port").orElse("8001");
        boolean isLocal = host.startsWith("127.") || host.equals("::1");
        config.options().put("dashboard.bind", (isLocal ? host : "127.0.0.1") + ":" + port);
        find("monitoring.port").ifPresent(report::addSame);
        find("monitoring.host").ifPresent(directive -> {
            if (isLocal) {
                report.addSame(directive);
            } else {
                report.addUnsupported(
                        directive, "dashboard.bind: set to a loopback address, because no login is configured");
            }
        });
    }

    private void middlewares() {
        Map<String, Directive> all = withPrefix("middlewares");
        Set<String> named = new HashSet<>();
        for (Map.Entry<String, Directive> entry : all.entrySet()) {
            String item = entry.getKey().replaceFirst("(^\\[[0-9]+]).*", "$1");
            Directive disabled = all.get(item + ".disabled");
            if (disabled != null && disabled.word(1).equals("true")) {
                report.addSame(entry.getValue());
            } else if (named.add(item)) {
                report.addUnsupported(entry.getValue(), MiddlewareHints.of(withPrefix("middlewares" + item)));
            } else {
                report.addUnsupported(entry.getValue(), "see middlewares" + item);
            }
        }
    }

    private Map<String, Directive> withPrefix(String prefix) {
        Map<String, Directive> under = new LinkedHashMap<>();
        keys.forEach((path, directive) -> {
            if (path.startsWith(prefix)) {
                under.put(path.substring(prefix.length()), directive);
            }
        });
        return under;
    }

    private Optional<Directive> find(String key) {
        return Optional.ofNullable(keys.get(key));
    }

    private Optional<String> text(String key) {
        return find(key).map(directive -> directive.word(1)).filter(value -> !value.isEmpty());
    }

    private void positive(String key, Consumer<String> then) {
        find(key).ifPresent(directive -> {
            if (directive.word(1).matches("[1-9][0-9]{0,9}")) {
                then.accept(directive.word(1));
            }
            report.addSame(directive);
        });
    }

    /**
     * Reads a duration and passes it to {@code then}. If the duration is zero, the default applies and {@code
     * then} is not called.
     */
    private void duration(String key, BiConsumer<Directive, Object> then) {
        find(key).ifPresent(directive -> {
            Optional<Duration> time = parseGoDuration(directive.word(1));
            if (time.isEmpty()) {
                report.addUnsupported(directive, "invalid duration (expected: a value such as 30s)");
            } else if (time.get().isZero()) {
                report.addChanged(directive, "a duration of 0 is not supported; the default applies");
            } else {
                then.accept(directive, DurationText.of(time.get()));
            }
        });
    }

    private static Optional<Duration> parseGoDuration(String text) {
        Matcher matcher = GO_DURATION.matcher(text);
        if (text.length() > 20 || !matcher.matches() || text.isEmpty()) {
            return Optional.empty();
        }
        Duration time = Duration.ofHours(part(matcher, 1))
                .plusMinutes(part(matcher, 2))
                .plusSeconds(part(matcher, 3))
                .plusMillis(part(matcher, 4));
        return Optional.of(time).filter(whole -> whole.compareTo(Duration.ofDays(3650)) < 0);
    }

    private static long part(Matcher matcher, int group) {
        String part = matcher.group(group);
        return part == null ? 0 : Long.parseLong(part.length() > 9 ? "999999999" : part);
    }

    private static Object number(String text) {
        return text.matches("[0-9]{1,9}") ? Integer.valueOf(text) : text;
    }
}
