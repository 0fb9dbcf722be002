package io.ballast.server.importer.haproxy;

import io.ballast.server.importer.Directive;
import io.ballast.server.importer.ImportReport;
import io.ballast.server.importer.ImportedConfig;
import io.ballast.server.importer.ImportedListener;
import io.ballast.server.importer.NoEqualException;
import io.ballast.server.importer.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A {@code frontend}, or what a {@code listen} has of one, as a listener for each address. */
final class HaproxyListeners {

    private static final Map<String, String> DEADLINES = Map.of(
            "http-request", "deadlines.request_head",
            "http-keep-alive", "deadlines.keep_alive",
            "tunnel", "deadlines.tunnel_idle");

    private final HaproxySection section;
    private final Map<String, HaproxySection> backends;
    private final ImportedConfig config;
    private final ImportReport report;

    HaproxyListeners(
            HaproxySection section, Map<String, HaproxySection> backends, ImportedConfig config, ImportReport report) {
        this.section = section;
        this.backends = backends;
        this.config = config;
        this.report = report;
    }

    void run() {
        List<HaproxyBind> binds = new ArrayList<>();
        section.all().filter(directive -> directive.name().equals("bind")).forEach(directive -> {
            try {
                binds.addAll(HaproxyBind.of(directive));
            } catch (NoEqualException e) {
                report.noEqual(directive, e.nearest());
            }
        });
        binds.removeIf(bind -> {
            boolean twice = bind.address().equals("0.0.0.0:" + bind.port())
                    && binds.stream().anyMatch(other -> other.address().equals("[::]:" + bind.port()));
            if (twice) {
                report.changed(bind.directive(), "[::] takes IPv4 too");
            }
            return twice;
        });
        HaproxyAcls acls = new HaproxyAcls(section, report);
        for (HaproxyBind bind : binds) {
            String name = binds.size() == 1
                    ? section.name()
                    : section.name() + "-" + bind.port().replace('/', '-');
            ImportedListener listener =
                    new ImportedListener(config.unusedName(name), bind.address(), section.isHttp() ? "http" : "tcp");
            bind.options(listener, report);
            settings(listener);
            new HaproxyRules(section, backends.keySet(), bind, listener, acls, report).run();
            if (isForStatisticsOnly(listener)) {
                report.changed(bind.directive(), "the dashboard has an address of its own");
                continue;
            }
            if (!listener.routes().isEmpty()) {
                config.listeners().add(listener);
            }
            if (listener.isHttp()) {
                forwarding(listener);
            }
        }
        section.last("mode").ifPresent(report::same);
        report.same(section.head());
        section.all()
                .filter(directive -> directive.name().equals("acl") && !report.isReported(directive))
                .forEach(acl -> report.changed(acl, "nothing that was written uses it"));
    }

    private boolean isForStatisticsOnly(ImportedListener listener) {
        return section.last("stats").isPresent()
                && listener.routes().stream()
                        .allMatch(route -> route.from() == section.head()
                                && !route.action().containsKey("pool"));
    }

    private void settings(ImportedListener listener) {
        Options options = listener.options();
        section.last("maxconn").ifPresent(maxconn -> {
            options.put("limits.connections", HaproxyBind.number(maxconn.word(1)));
            report.changed(maxconn, "beyond it connections are closed; they do not wait");
        });
        Stream.of("httplog", "tcplog")
                .forEach(kind -> section.option(kind).ifPresent(option -> {
                    if (listener.isHttp()) {
                        options.put("access_log.to", "stdout");
                        options.put("access_log.format", "json");
                        report.changed(option, "access_log: JSON lines to stdout");
                    } else if (kind.equals("tcplog")) {
                        report.noEqual(option, "access_log, which listeners for http have");
                    } else {
                        report.changed(option, "listeners for tcp have no access log");
                    }
                }));
        if (listener.isHttp()) {
            section.last("timeout", "client").ifPresent(timeout -> {
                time(timeout, options, "deadlines.request_body_idle");
                time(timeout, options, "deadlines.response_idle");
            });
            new TreeMap<>(DEADLINES)
                    .forEach((name, path) ->
                            section.last("timeout", name).ifPresent(timeout -> time(timeout, options, path)));
            section.all().filter(rule -> rule.name().equals("http-response")).forEach(rule -> response(rule, options));
        } else {
            section.last("timeout", "client").ifPresent(timeout -> {
                time(timeout, options, "session.idle");
                report.changed(timeout, "session.idle: in either direction");
            });
            section.all()
                    .filter(rule -> rule.name().equals("tcp-request"))
                    .filter(rule -> rule.word(1).equals("inspect-delay")
                            || (rule.word(2).equals("accept") && rule.words().contains("req_ssl_hello_type"))
                            || (rule.word(2).equals("accept") && rule.words().contains("req.ssl_hello_type")))
                    .forEach(rule -> report.changed(rule, "routes with sni wait for the ClientHello by themselves"));
        }
    }

    private void response(Directive rule, Options options) {
        try {
            if (!HaproxyHeaders.isOne(rule) || !HaproxyHeaders.condition(rule).isEmpty()) {
                throw new NoEqualException("headers.response of a listener, route or pool");
            }
            HaproxyHeaders.unconditional(rule, options, report);
        } catch (NoEqualException e) {
            report.noEqual(rule, e.nearest());
        }
    }

    /** HAProxy tells backends nothing about clients unless it is asked to. */
    private void forwarding(ImportedListener listener) {
        Options options = listener.options();
        List<HaproxySection> ways = new ArrayList<>(List.of(section));
        Set<Object> pools = listener.routes().stream()
                .map(route -> route.action().getOrDefault("pool", ""))
                .collect(Collectors.toSet());
        backends.forEach((name, backend) -> {
            if (pools.contains(name) && !backend.equals(section)) {
                ways.add(backend);
                backend.all()
                        .filter(HaproxyHeaders::isForwarding)
                        .forEach(rule -> HaproxyHeaders.forwarding(rule, options, report));
            }
        });
        boolean appends = false;
        for (HaproxySection way : ways) {
            if (way.option("forwardfor").isPresent()) {
                appends = true;
                options.addTo("forwarding_headers", "x-forwarded-for");
                Directive option = way.option("forwardfor").get();
                if (option.words().size() == 2) {
                    report.changed(option, "appended to the line that is there");
                } else {
                    report.noEqual(option, "forwarding and trusted_proxies: without " + option.word(2));
                }
            }
        }
        if (appends) {
            options.put("forwarding", "append");
        } else if (options.get("forwarding_headers").isEmpty()) {
            options.put("forwarding", "off");
        }
    }

    private void time(Directive timeout, Options options, String path) {
        try {
            options.put(path, HaproxyTime.written(timeout.word(2)));
            report.same(timeout);
        } catch (NoEqualException e) {
            report.noEqual(timeout, e.nearest());
        }
    }
}
