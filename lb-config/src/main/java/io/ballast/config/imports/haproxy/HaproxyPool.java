package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedPath;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Converts a {@code backend}, or the backend part of a {@code listen}, to a pool. */
final class HaproxyPool {

    private static final String REUSE = "connections.reuse";

    private final HaproxySection section;
    private final Options pool;
    private final HaproxyPolicies policies;
    private final ImportReport report;

    HaproxyPool(HaproxySection section, Options pool, HaproxyPolicies policies, ImportReport report) {
        this.section = section;
        this.pool = pool;
        this.policies = policies;
        this.report = report;
    }

    void run() {
        pool.put("strategy", "round-robin");
        HaproxyServers servers = new HaproxyServers(pool, report);
        servers.read(section);
        strategy(servers);
        health(servers);
        timeouts();
        section.last("retries").ifPresent(this::retries);
        section.option("redispatch")
                .ifPresent(option -> report.addChanged(option, "a retry uses another backend immediately"));
        if (section.isHttp()) {
            reuse();
        }
        if (section.isHttp() && !section.isFrontend()) {
            section.all()
                    .filter(rule -> rule.name().matches("http-(request|response|after-response)"))
                    .forEach(this::rule);
            policies.applyTo(pool);
        }
        report.addSame(section.head());
    }

    private void strategy(HaproxyServers servers) {
        Directive balance = section.last("balance").orElse(null);
        String name = balance == null ? "roundrobin" : balance.word(1);
        String strategy =
                switch (name) {
                    case "roundrobin", "static-rr" -> servers.areWeighted() ? "weighted-round-robin" : "round-robin";
                    case "leastconn" -> "least-connection";
                    case "random" -> "power-of-two";
                    case "random(1)" -> "random";
                    case "source" -> "ip-hash";
                    default -> "";
                };
        if (balance != null) {
            switch (name) {
                case "source" ->
                    report.addChanged(balance, "ip-hash: clients may be assigned to other backends than before");
                case "random" ->
                    report.addChanged(balance, "power-of-two: the less loaded of two random backends is used");
                default -> {
                    if (strategy.isEmpty()) {
                        report.addUnsupported(
                                balance,
                                "round-robin is used instead; consider strategy hash by header, cookie, path or query");
                    } else {
                        report.addSame(balance);
                    }
                }
            }
        }
        String written = strategy.isEmpty() ? "round-robin" : strategy;
        pool.put(
                "strategy",
                servers.hasBackups() ? new TreeMap<>(Map.of("type", "failover", "within", written)) : written);
    }

    private void health(HaproxyServers servers) {
        Directive httpchk = section.option("httpchk").orElse(null);
        if (!servers.areChecked()) {
            pool.remove("health");
            pool.put("health.type", "none");
            section.all()
                    .filter(HaproxyPool::isCheckDirective)
                    .forEach(check -> report.addChanged(check, "no server has 'check', so health checks are disabled"));
            return;
        }
        if (pool.get("health.interval").isEmpty()) {
            pool.put("health.interval", "2s");
        }
        section.last("timeout", "check").ifPresent(timeout -> time(timeout, "health.timeout"));
        pool.put("health.type", httpchk == null ? "tcp" : "http");
        if (httpchk != null && servers.areCheckedByTls() != servers.areTls()) {
            pool.put("health.tls", servers.areTls() ? (Object) false : checkTls(servers));
        }
        if (httpchk != null) {
            request(httpchk);
            section.all().filter(check -> check.name().equals("http-check")).forEach(this::httpCheck);
        } else {
            section.all()
                    .filter(HaproxyPool::isServiceCheck)
                    .reduce((before, last) -> last)
                    .ifPresent(this::service);
        }
        section.all()
                .filter(HaproxyPool::isCheckDirective)
                .filter(check -> !report.isReported(check))
                .forEach(check -> {
                    if (check.word(1).equals("tcp-check") || check.word(1).equals("connect")) {
                        report.addSame(check);
                    } else {
                        report.addUnsupported(
                                check, "not supported; health.type tcp checks only that a connection succeeds");
                    }
                });
    }

    private static boolean isServiceCheck(Directive directive) {
        return directive.name().equals("option")
                && List.of("mysql-check", "pgsql-check", "redis-check", "smtpchk")
                        .contains(directive.word(1));
    }

    private void service(Directive option) {
        switch (option.word(1)) {
            case "mysql-check" -> {
                if (option.word(2).equals("user")) {
                    service(option, "mysql");
                    pool.put("health.user", option.word(3));
                } else {
                    report.addUnsupported(option, "health.type mysql requires a user name");
                }
            }
            case "pgsql-check" -> {
                service(option, "postgres");
                pool.put("health.user", option.word(3));
                pool.put("health.database", option.word(3)); // by default, named like the user
            }
            case "redis-check" -> service(option, "redis");
            case "smtpchk" -> {
                service(option, "smtp");
                if (option.words().size() > 3) {
                    pool.put("health.host", option.word(3));
                }
            }
            default -> {}
        }
    }

    private void service(Directive option, String type) {
        pool.put("health.type", type);
        report.addSame(option);
    }

    private static Object checkTls(HaproxyServers servers) {
        return servers.areInsecure() ? new TreeMap<>(Map.of("insecure", true)) : true;
    }

    private static boolean isCheckDirective(Directive directive) {
        return switch (directive.name()) {
            case "http-check", "tcp-check" -> true;
            case "option" ->
                directive.word(1).endsWith("chk") || directive.word(1).endsWith("-check");
            case "timeout" -> directive.word(1).equals("check");
            default -> false;
        };
    }

    /**
     * Converts {@code option httpchk [METHOD] PATH [VERSION]}; header lines, such as Host, may follow the
     * version.
     */
    private void request(Directive option) {
        List<String> words = option.words();
        // HAProxy checks with OPTIONS if no method is given.
        pool.put("health.method", words.size() > 3 ? option.word(2) : "OPTIONS");
        if (words.size() > 2) {
            pool.put("health.path", words.size() > 3 ? option.word(3) : option.word(2));
        }
        String rest = String.join(" ", words.subList(Math.min(4, words.size()), words.size()));
        String[] lines = rest.split("\\R|\\\\r\\\\n", -1);
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon > 0) {
                header(
                        lines[i].substring(0, colon).trim(),
                        lines[i].substring(colon + 1).trim());
            } else if (!lines[i].isBlank()) {
                report.addUnsupported(option, "health.headers");
            }
        }
        report.addSame(option);
    }

    private void header(String name, String value) {
        if (name.equalsIgnoreCase("host")) {
            pool.put("health.host", value);
        } else {
            pool.putIn("health.headers", name, value);
        }
    }

    private void httpCheck(Directive check) {
        try {
            switch (check.word(1)) {
                case "expect" -> expect(check);
                case "send" -> send(check);
                case "connect" -> report.addSame(check);
                default -> throw new UntranslatableException("health.expect");
            }
        } catch (UntranslatableException e) {
            report.addUnsupported(check, e.nearest());
        }
    }

    private void expect(Directive check) throws UntranslatableException {
        String value = check.word(3);
        switch (check.word(2)) {
            case "status" -> {
                if (!value.matches("[0-9]{3}(-[0-9]{3})?(,[0-9]{3}(-[0-9]{3})?)*")) {
                    throw new UntranslatableException("health.expect supports only statuses such as 200-299");
                }
                pool.put("health.expect", List.of(value.split(",", -1)));
                report.addSame(check);
            }
            case "string" -> body(check, "health.body_contains", value);
            case "rstring" ->
                body(check, "health.body_matches", ImportedPath.regex(value).text());
            default ->
                throw new UntranslatableException(
                        "use health.expect for statuses, and health.body_contains or health.body_matches for texts");
        }
    }

    private void body(Directive check, String path, String value) throws UntranslatableException {
        if (check.words().size() != 4 || pool.get(path).isPresent()) {
            throw new UntranslatableException(path + ": only one text is supported");
        }
        pool.put(path, value);
        report.addChanged(check, "the status must also match health.expect, 200 to 399 by default");
    }

    private void send(Directive check) throws UntranslatableException {
        List<String> words = check.words();
        for (int i = 2; i < words.size(); i += 2) {
            switch (words.get(i)) {
                case "meth" -> pool.put("health.method", check.word(i + 1));
                case "uri" -> pool.put("health.path", check.word(i + 1));
                case "ver" -> {}
                case "hdr" -> {
                    if (check.word(i + 2).contains("%")) {
                        throw new UntranslatableException("health.headers supports only fixed values");
                    }
                    header(check.word(i + 1), check.word(i + 2));
                    i++;
                }
                default -> throw new UntranslatableException("health checks do not support " + words.get(i));
            }
        }
        report.addSame(check);
    }

    private void timeouts() {
        section.last("timeout", "connect").ifPresent(timeout -> time(timeout, "connections.connect_timeout"));
        section.last("timeout", "queue").ifPresent(timeout -> time(timeout, "queue.timeout"));
        if (section.isHttp()) {
            section.last("timeout", "server").ifPresent(timeout -> {
                time(timeout, "connections.response_timeout");
                time(timeout, "connections.body_idle_timeout");
            });
        } else {
            section.last("timeout", "server")
                    .ifPresent(timeout -> report.addChanged(
                            timeout, "session.idle applies to both directions; the value of 'timeout client' is used"));
        }
    }

    private void time(Directive timeout, String path) {
        try {
            pool.put(path, HaproxyTime.limit(timeout.word(2)));
            report.addTranslated(timeout, HaproxyTime.notes(timeout.word(2)));
        } catch (UntranslatableException e) {
            report.addUnsupported(timeout, e.nearest());
        }
    }

    private void retries(Directive retries) {
        if (retries.word(1).matches("[0-9]")) {
            pool.put("connections.attempts", Integer.parseInt(retries.word(1)) + 1);
            report.addChanged(retries, "each attempt uses another backend");
        } else {
            report.addUnsupported(retries, "connections.attempts: 1..10");
        }
    }

    private void reuse() {
        Directive given = section.last("http-reuse").orElse(null);
        if (given == null) {
            pool.put(REUSE, "safe"); // HAProxy's default
            return;
        }
        switch (given.word(1)) {
            case "always", "safe" -> {
                pool.put(REUSE, given.word(1));
                report.addSame(given);
            }
            case "aggressive" -> {
                pool.put(REUSE, "always");
                report.addChanged(
                        given,
                        "connections.reuse: always; a client's first request may use any backend connection that has served a request");
            }
            case "never" -> {
                boolean isHttp1 = pool.get("protocol").map("http1"::equals).orElse(true);
                pool.put(REUSE, isHttp1 ? "never" : "safe");
                if (isHttp1) {
                    report.addChanged(
                            given,
                            "connections.reuse: never; Ballast opens a backend connection per request, not per client");
                } else {
                    report.addUnsupported(
                            given, "HTTP/2 connections are always reused; connections.reuse: safe is used instead");
                }
            }
            default ->
                report.addUnsupported(given, "unsupported value (expected: connections.reuse: always, safe or never)");
        }
    }

    private void rule(Directive rule) {
        try {
            if (HaproxyHeaders.isForwarding(rule)) {
                return; // the rule is converted for the listeners that use this pool
            }
            if (policies.convert(rule)) {
                return;
            }
            if (!HaproxyHeaders.isHeaderRule(rule)) {
                throw new UntranslatableException("not supported in a backend section; use a route of the listener");
            }
            boolean always = HaproxyHeaders.condition(rule).isEmpty();
            if (always && rule.word(2).equalsIgnoreCase("host") && rule.word(3).matches("[A-Za-z0-9.:_-]+")) {
                pool.put("host.value", rule.word(3));
                report.addSame(rule);
                return;
            }
            HaproxyHeaders.write(
                    rule,
                    always ? HaproxyHeaders.Scope.ALWAYS : HaproxyHeaders.Scope.SOMETIMES,
                    pool,
                    HaproxyBind.Variables.NONE,
                    report);
        } catch (UntranslatableException e) {
            report.addUnsupported(rule, e.nearest());
        }
    }
}
