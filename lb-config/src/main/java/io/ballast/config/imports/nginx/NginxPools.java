package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedHeaderEdits;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Creates pools for the targets of {@code proxy_pass}. If locations configure the same target differently,
 * each gets its own pool.
 */
final class NginxPools {

    private static final Pattern TARGET = Pattern.compile("(https?)://(unix:[^:]+:?|[^/$]+)(/.*)?");

    private final Map<String, Options> upstreams = new LinkedHashMap<>();
    private final ImportedConfig config;
    private final ImportReport report;

    NginxPools(ImportedConfig config, ImportReport report) {
        this.config = config;
        this.report = report;
    }

    void upstream(Directive block) {
        upstreams.put(block.word(1), NginxUpstream.of(block, report));
    }

    /**
     * The pool that serves the requests, and the path that replaces the location's prefix; the path is empty if
     * it stays unchanged.
     */
    record Target(String pool, String uri) {}

    /** Returns the target of a {@code proxy_pass} in {@code http}. */
    Target http(Directive pass, NginxScope scope) throws UntranslatableException {
        Matcher matcher = TARGET.matcher(pass.word(1));
        if (!matcher.matches() || pass.word(1).contains("$")) {
            throw new UntranslatableException(
                    "variables are not supported in proxy_pass; use a pool with a fixed name");
        }
        boolean isTls = matcher.group(1).equals("https");
        Options pool = pool(matcher.group(2), isTls ? "443" : "80");
        if (isTls) {
            tls(pass, scope, pool);
        }
        settings(scope, pool);
        host(scope, pool, matcher.group(2));
        return new Target(
                registerPool(matcher.group(2), pool), matcher.group(3) == null ? "" : String.valueOf(matcher.group(3)));
    }

    /** Returns the pool of a {@code proxy_pass} in {@code stream}. */
    String stream(Directive pass, NginxScope scope) throws UntranslatableException {
        if (pass.word(1).contains("$")) {
            throw new UntranslatableException("variables are not supported in proxy_pass; use routes with sni");
        }
        Options pool = pool(pass.word(1), "0");
        time(scope, "proxy_connect_timeout", pool, "connections.connect_timeout");
        scope.last("proxy_protocol").ifPresent(directive -> {
            if (directive.word(1).equals("on")) {
                pool.put("connections.proxy_protocol", "v1");
            }
            report.addSame(directive);
        });
        return registerPool(pass.word(1), pool);
    }

    private Options pool(String target, String port) {
        Options upstream = upstreams.get(target);
        if (upstream != null) {
            return upstream.copy();
        }
        Options pool = new Options();
        pool.put("backends", List.of(NginxValue.address(target, port)));
        return pool;
    }

    private String registerPool(String target, Options pool) {
        String name = target.replaceAll("[^A-Za-z0-9_.-]+", "-").replaceAll("^[^A-Za-z0-9_]+|-$", "");
        name = name.length() > 60 ? name.substring(0, 60) : name;
        String unique = name;
        int number = 2;
        while (config.pools().containsKey(unique)
                && !config.pools().get(unique).map().equals(pool.map())) {
            unique = name + "-" + number++;
        }
        config.pools().putIfAbsent(unique, pool);
        return unique;
    }

    private void tls(Directive pass, NginxScope scope, Options pool) {
        boolean verifies = scope.last("proxy_ssl_verify")
                .filter(verify -> verify.word(1).equals("on"))
                .isPresent();
        pool.put("tls.insecure", !verifies);
        if (!verifies) {
            report.addChanged(pass, "tls.insecure: as before, backend certificates are not verified");
        }
        scope.last("proxy_ssl_verify").ifPresent(report::addSame);
        text(scope, "proxy_ssl_trusted_certificate", pool, "tls.ca");
        text(scope, "proxy_ssl_certificate", pool, "tls.certificate");
        text(scope, "proxy_ssl_certificate_key", pool, "tls.key");
        text(scope, "proxy_ssl_name", pool, "tls.server_name");
    }

    private void settings(NginxScope scope, Options pool) {
        time(scope, "proxy_connect_timeout", pool, "connections.connect_timeout");
        time(scope, "proxy_read_timeout", pool, "connections.response_timeout");
        time(scope, "proxy_read_timeout", pool, "connections.body_idle_timeout");
        scope.last("proxy_next_upstream").ifPresent(next -> nextUpstream(next, pool));
        scope.last("proxy_next_upstream_tries").ifPresent(tries -> {
            if (tries.word(1).matches("[1-9]|10")) {
                pool.put("connections.attempts", NginxValue.number(tries.word(1)));
                pool.put("retry.attempts", NginxValue.number(tries.word(1)));
                report.addSame(tries);
            } else {
                report.addChanged(
                        tries, "the default applies; connections.attempts and retry.attempts allow at most 10");
            }
        });
        ImportedHeaderEdits edits = new ImportedHeaderEdits(pool, "response");
        for (Directive hidden : scope.all("proxy_hide_header")) {
            try {
                edits.remove(hidden.word(1));
                report.addSame(hidden);
            } catch (UntranslatableException e) {
                if (hidden.word(1).matches("(?i)upgrade|connection|keep-alive|trailer|proxy-.*")) {
                    report.addChanged(hidden, "hop-by-hop header, never forwarded");
                } else {
                    report.addUnsupported(hidden, e.nearest());
                }
            }
        }
    }

    private void nextUpstream(Directive next, Options pool) {
        List<Object> on = new ArrayList<>();
        for (String word : next.arguments()) {
            switch (word) {
                case "error" -> on.addAll(List.of("connect-failure", "reset"));
                case "timeout" -> on.add("response-timeout");
                case "non_idempotent" -> pool.put("retry.methods", "all");
                case "off" -> {
                    pool.put("connections.attempts", 1);
                    pool.put("retry.attempts", 1);
                }
                case "invalid_header", "updating" -> report.addUnsupported(next, word);
                default -> {
                    if (word.matches("http_[0-9]{3}")) {
                        on.add(NginxValue.number(word.substring(5)));
                    } else {
                        report.addUnsupported(next, word);
                    }
                }
            }
        }
        if (!on.isEmpty()) {
            pool.put("retry.on", on);
        }
        report.addSame(next);
    }

    /**
     * Converts the {@code Host} header that nginx sends to the backend. The default of nginx is the upstream's
     * name; the default of Ballast is the client's {@code Host}.
     */
    private void host(NginxScope scope, Options pool, String target) {
        Optional<Directive> set = scope.all("proxy_set_header").stream()
                .filter(header -> header.word(1).equalsIgnoreCase("host"))
                .findFirst();
        String value = set.map(header -> header.word(2)).orElse("$proxy_host");
        if (value.equals("$proxy_host")) {
            boolean isName = upstreams.containsKey(target);
            pool.put(isName ? "host.value" : "host", isName ? target : "backend");
        } else if (value.matches("[A-Za-z0-9._:-]+")) {
            pool.put("host.value", value);
        } else if (!value.matches("\\$(http_)?host")) {
            set.ifPresent(header -> report.addUnsupported(
                    header, "unsupported Host header (supported by pools.NAME.host: keep, backend or a fixed name)"));
        }
        set.filter(header -> !report.isReported(header))
                .ifPresent(header -> report.addTranslated(
                        header,
                        header.word(2).equals("$host")
                                ? List.of("host: keep; the Host header keeps the client's port")
                                : List.of()));
    }

    private void text(NginxScope scope, String name, Options pool, String path) {
        scope.last(name).ifPresent(directive -> {
            if (directive.word(1).contains("$")) {
                report.addUnsupported(directive, path);
            } else {
                pool.put(path, directive.word(1));
                report.addSame(directive);
            }
        });
    }

    private void time(NginxScope scope, String name, Options pool, String path) {
        scope.last(name).ifPresent(directive -> {
            try {
                pool.put(path, NginxValue.time(directive.word(1)));
                report.addSame(directive);
            } catch (UntranslatableException e) {
                report.addUnsupported(directive, e.nearest());
            }
        });
    }
}
