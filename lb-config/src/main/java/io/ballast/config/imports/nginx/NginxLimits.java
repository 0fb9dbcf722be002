package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.UntranslatableException;
import io.ballast.core.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts {@code limit_req} and {@code limit_conn} to policies. */
final class NginxLimits {

    private static final Pattern RATE = Pattern.compile("([1-9][0-9]{0,6})r/([sm])");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z_0-9]+)}?");
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);
    private static final int MAX_COUNT = 1_000_000;
    private static final int WHOLE_ADDRESS = 128;

    private final ImportedConfig config;
    private final ImportReport report;
    private final Map<String, Set<Object>> uses = new HashMap<>();

    NginxLimits(ImportedConfig config, ImportReport report) {
        this.config = config;
        this.report = report;
    }

    /** Returns the names of the policies for the limits of a location. */
    List<String> policies(NginxScope scope) {
        List<String> names = new ArrayList<>();
        for (Directive limit : scope.all("limit_req")) {
            policy(limit, scope, this::rate).ifPresent(names::add);
        }
        for (Directive limit : scope.all("limit_conn")) {
            policy(limit, scope, this::concurrency).ifPresent(names::add);
        }
        return names;
    }

    /** Converts one limit; returns its kind and settings. */
    private interface Conversion {
        Map<String, Object> convert(Directive limit, NginxScope scope, List<String> notes)
                throws UntranslatableException;
    }

    private Optional<String> policy(Directive limit, NginxScope scope, Conversion conversion) {
        List<String> notes = new ArrayList<>();
        try {
            Map<String, Object> policy = new LinkedHashMap<>(conversion.convert(limit, scope, notes));
            scope.last(limit.name() + "_dry_run").ifPresent(dryRun -> {
                if (dryRun.word(1).equals("on")) {
                    policy.put("dry_run", true);
                }
                report.addSame(dryRun);
            });
            status(limit, scope, notes);
            scope.last(limit.name() + "_log_level")
                    .ifPresent(
                            level -> report.addChanged(level, "the access log contains the reason for each refusal"));
            report.addTranslated(limit, notes);
            return Optional.of(config.policy(zoneName(limit), policy));
        } catch (UntranslatableException e) {
            report.addUnsupported(limit, e.nearest());
            return Optional.empty();
        }
    }

    private void status(Directive limit, NginxScope scope, List<String> notes) {
        Optional<Directive> status = scope.last(limit.name() + "_status");
        String code = status.map(directive -> directive.word(1)).orElse("503");
        String note = "refused requests get 429 instead of " + code;
        if (!code.equals("429")) {
            notes.add(note);
            status.ifPresent(directive -> report.addChanged(directive, note));
        } else {
            status.ifPresent(report::addSame);
        }
    }

    /** Converts {@code limit_req}: a leaky bucket, which corresponds to a burst and a delay. */
    private Map<String, Object> rate(Directive limit, NginxScope scope, List<String> notes)
            throws UntranslatableException {
        Directive zone = zone(limit, scope);
        Matcher rate = RATE.matcher(parameter(zone, "rate").orElse(""));
        if (!rate.matches()) {
            throw new UntranslatableException("the rate of the zone is invalid (expected: a rate such as 10r/s)");
        }
        Object key = key(zone, notes);
        long perMinute = Long.parseLong(rate.group(1)) * (rate.group(2).equals("s") ? 60 : 1);
        int excess = number(parameter(limit, "burst").orElse("0"));
        int immediate = limit.words().contains("nodelay")
                ? excess
                : Math.min(excess, number(parameter(limit, "delay").orElse("0")));
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("rate", rate.group(1) + "/" + rate.group(2));
        settings.put("burst", immediate + 1);
        Duration delay = Duration.ofMillis((excess - immediate) * 60_000L / perMinute);
        if (delay.compareTo(LONGEST_DELAY) > 0) {
            notes.add("requests are delayed by at most 1m");
            delay = LONGEST_DELAY;
        }
        if (!delay.isZero()) {
            settings.put("delay", DurationText.of(delay));
        }
        keys(settings, key);
        Set<Object> bodies = uses.computeIfAbsent(zoneName(limit), unused -> new HashSet<>());
        if (bodies.add(settings) && bodies.size() > 1) {
            notes.add("limits of this zone with other parameters count separately");
        }
        report.addSame(zone);
        return Map.of("rate_limit", settings);
    }

    private Map<String, Object> concurrency(Directive limit, NginxScope scope, List<String> notes)
            throws UntranslatableException {
        Directive zone = zone(limit, scope);
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("limit", number(limit.word(2)));
        keys(settings, key(zone, notes));
        report.addSame(zone);
        return Map.of("concurrency", settings);
    }

    /** Adds the parts of a key. If no part is an address, nginx does not count requests in which a part is missing. */
    private static void keys(Map<String, Object> settings, Object key) {
        settings.put("key", key);
        if (key.equals("client")) {
            settings.remove("key"); // the key "client" is Ballast's default
        }
        if (key.equals("client") || (key instanceof List<?> parts && parts.contains("client"))) {
            settings.put("ipv6_prefix", WHOLE_ADDRESS);
        } else {
            settings.put("missing", "skip");
        }
    }

    private static Object key(Directive zone, List<String> notes) throws UntranslatableException {
        Matcher variable = VARIABLE.matcher(zone.word(1));
        List<Object> parts = new ArrayList<>();
        int end = 0;
        while (variable.find() && variable.start() == end) {
            parts.add(part(String.valueOf(variable.group(1)), notes));
            end = variable.end();
        }
        if (parts.isEmpty() || end != zone.word(1).length()) {
            throw new UntranslatableException("unsupported key of the zone; see 'key' of a rate_limit policy");
        }
        return parts.size() == 1 && parts.get(0) instanceof String word ? word : List.copyOf(parts);
    }

    private static Object part(String variable, List<String> notes) throws UntranslatableException {
        if (variable.startsWith("http_") && !variable.equals("http_host")) {
            return Map.of("header", variable.substring("http_".length()).replace('_', '-'));
        }
        if (variable.startsWith("cookie_")) {
            return Map.of("cookie", variable.substring("cookie_".length()));
        }
        if (variable.equals("request_uri")) {
            notes.add("the key contains the path, but not the query");
        }
        return switch (variable) {
            case "binary_remote_addr", "remote_addr" -> "client";
            case "server_name", "host", "http_host" -> "host";
            case "uri", "document_uri", "request_uri" -> "path";
            case "ssl_client_s_dn" -> "tls_subject";
            default ->
                throw new UntranslatableException("unsupported key of the zone: $" + variable
                        + "; see 'key' and 'exempt' of a rate_limit policy");
        };
    }

    private static String zoneName(Directive limit) {
        String named =
                limit.name().equals("limit_req") ? parameter(limit, "zone").orElse("") : limit.word(1);
        String name = named.replaceAll("[^A-Za-z0-9_.-]", "-");
        return name.isEmpty() ? "limit" : name.substring(0, Math.min(name.length(), 50));
    }

    private static Directive zone(Directive limit, NginxScope scope) throws UntranslatableException {
        String name =
                limit.name().equals("limit_req") ? parameter(limit, "zone").orElse("") : limit.word(1);
        return scope.blocks().get(0).stream()
                .filter(directive -> directive.name().equals(limit.name() + "_zone"))
                .filter(directive -> parameter(directive, "zone")
                        .filter(zone -> zone.replaceAll(":.*", "").equals(name))
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> new UntranslatableException("the zone is not defined in the file"));
    }

    private static Optional<String> parameter(Directive directive, String name) {
        return directive.arguments().stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .findFirst();
    }

    private static int number(String text) throws UntranslatableException {
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) >= MAX_COUNT) {
            throw new UntranslatableException("invalid number: " + text + " (expected: below " + MAX_COUNT + ")");
        }
        return Integer.parseInt(text);
    }
}
