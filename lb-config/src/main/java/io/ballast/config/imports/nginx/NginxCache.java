package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Converts {@code proxy_cache} to a policy. Creates no policy if the key or a condition of the cache has no equivalent,
 * because a user could then get the response of another user.
 */
final class NginxCache {

    /** Cache keys of nginx that distinguish the same requests as Ballast's: by scheme, host, path and query. */
    private static final String KEY =
            "(\\$(scheme|proxy_host|host|http_host|server_name|request_method|server_port)|://)*"
                    + "(\\$request_uri|\\$uri\\$is_args\\$args)";
    /**
     * Conditions on headers that Ballast's cache evaluates itself: it never answers requests with credentials, and it
     * follows {@code Pragma}.
     */
    private static final String CREDENTIALS = "\\$http_(authorization|pragma)";

    private static final String INACTIVE = "inactive=";
    private static final String DEFAULT_INACTIVE = "10m";
    private static final String MEMORY =
            "responses are cached in memory (at most 64MiB), not on disk, and not for requests with credentials";
    private static final List<String> SAME = List.of("proxy_cache_revalidate", "proxy_cache_background_update");
    private static final List<String> IGNORED = List.of(
            "proxy_cache_min_uses", "proxy_cache_methods", "proxy_cache_lock_age", "proxy_cache_max_range_offset");

    private final ImportedConfig config;
    private final ImportReport report;

    NginxCache(ImportedConfig config, ImportReport report) {
        this.config = config;
        this.report = report;
    }

    /** Returns the name of the policy that stores the responses of a location, if any. */
    Optional<String> policy(NginxScope scope) {
        Optional<Directive> cache = scope.last("proxy_cache");
        if (cache.isEmpty()) {
            return Optional.empty();
        }
        if (cache.get().word(1).equals("off")) {
            report.addSame(cache.get());
            return Optional.empty();
        }
        try {
            Map<String, Object> settings = settings(cache.get(), scope);
            report.addChanged(cache.get(), MEMORY);
            return Optional.of(
                    config.policy(cache.get().word(1).replaceAll("[^A-Za-z0-9_.-]", "-"), Map.of("cache", settings)));
        } catch (UntranslatableException e) {
            report.addUnsupported(cache.get(), e.nearest());
            return Optional.empty();
        }
    }

    private Map<String, Object> settings(Directive cache, NginxScope scope) throws UntranslatableException {
        if (cache.word(1).contains("$")) {
            throw new UntranslatableException("variables are not supported in the name of a cache");
        }
        requireSameKey(scope);
        requireNoCondition(scope, "proxy_no_cache");
        requireNoCondition(scope, "proxy_cache_bypass");
        Map<String, Object> settings = new LinkedHashMap<>();
        valid(scope, settings);
        stale(scope, inactive(cache.word(1), scope), settings);
        lock(scope, settings);
        SAME.forEach(name -> scope.last(name).ifPresent(report::addSame));
        IGNORED.forEach(name -> scope.last(name)
                .ifPresent(directive -> report.addChanged(directive, "ignored: a cache policy has no such option")));
        scope.last("proxy_ignore_headers")
                .ifPresent(headers -> report.addUnsupported(
                        headers,
                        "a cache policy obeys the caching headers of the backend; remove them in the backend"));
        return settings;
    }

    private void requireSameKey(NginxScope scope) throws UntranslatableException {
        Optional<Directive> key = scope.last("proxy_cache_key");
        if (key.isPresent() && !key.get().word(1).matches(KEY)) {
            report.addUnsupported(
                    key.get(), "the key of a cache policy always consists of the scheme, host, path and query");
            throw new UntranslatableException(
                    "proxy_cache_key differs from the key of a cache policy: the scheme, host, path and query");
        }
        key.ifPresent(report::addSame);
    }

    private void requireNoCondition(NginxScope scope, String name) throws UntranslatableException {
        for (Directive directive : scope.all(name)) {
            if (!directive.arguments().stream().allMatch(word -> word.matches(CREDENTIALS))) {
                report.addUnsupported(directive, "use a route without a cache policy for these requests");
                throw new UntranslatableException(
                        "use a cache policy on routes whose responses are the same for all clients");
            }
            report.addSame(directive);
        }
    }

    /** Converts the time for which responses with status 200 stay valid. In Ballast, it applies to all statuses. */
    private void valid(NginxScope scope, Map<String, Object> settings) throws UntranslatableException {
        for (Directive valid : scope.all("proxy_cache_valid")) {
            List<String> statuses = new ArrayList<>(valid.arguments());
            String time = statuses.isEmpty() ? "" : statuses.remove(statuses.size() - 1);
            boolean isGeneral = statuses.isEmpty() || statuses.contains("200") || statuses.contains("any");
            if (isGeneral && !settings.containsKey("default_ttl")) {
                settings.put("default_ttl", NginxValue.time(time));
                report.addChanged(
                        valid,
                        "default_ttl applies to all cacheable statuses, and only to responses without Last-Modified");
            } else {
                report.addUnsupported(valid, "default_ttl is the same for all statuses");
            }
        }
    }

    /** Returns how long the zone of a cache keeps responses that no client requests. */
    private String inactive(String zone, NginxScope scope) throws UntranslatableException {
        for (Directive path : scope.blocks().get(0)) {
            boolean isOfZone = path.name().equals("proxy_cache_path")
                    && path.arguments().stream()
                            .anyMatch(word ->
                                    word.equals("keys_zone=" + zone) || word.startsWith("keys_zone=" + zone + ":"));
            if (isOfZone) {
                report.addChanged(path, MEMORY);
                String time = path.arguments().stream()
                        .filter(word -> word.startsWith(INACTIVE))
                        .map(word -> word.substring(INACTIVE.length()))
                        .findFirst()
                        .orElse(DEFAULT_INACTIVE);
                return NginxValue.time(time);
            }
        }
        throw new UntranslatableException("no proxy_cache_path in the file defines this zone");
    }

    private void stale(NginxScope scope, String time, Map<String, Object> settings) {
        scope.last("proxy_cache_use_stale").ifPresent(stale -> {
            List<String> unknown = new ArrayList<>();
            for (String word : stale.arguments()) {
                switch (word) {
                    case "error", "timeout", "http_500", "http_502", "http_503", "http_504" ->
                        settings.put("stale_if_error", time);
                    case "updating" -> settings.put("stale_while_revalidate", time);
                    case "off" -> {}
                    default -> unknown.add("ignored, because a cache policy has no such condition: " + word);
                }
            }
            report.addTranslated(stale, unknown);
        });
    }

    private void lock(NginxScope scope, Map<String, Object> settings) {
        scope.last("proxy_cache_lock")
                .ifPresent(
                        lock -> report.addTranslated(
                                lock,
                                lock.word(1).equals("on")
                                        ? List.of()
                                        : List.of(
                                                "only one request per URL is forwarded at a time, as with proxy_cache_lock on")));
        scope.last("proxy_cache_lock_timeout").ifPresent(timeout -> {
            try {
                settings.put("max_wait", NginxValue.time(timeout.word(1)));
                report.addSame(timeout);
            } catch (UntranslatableException e) {
                report.addUnsupported(timeout, e.nearest());
            }
        });
    }
}
