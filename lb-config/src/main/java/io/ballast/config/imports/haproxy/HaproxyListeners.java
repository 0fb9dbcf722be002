package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Converts a {@code frontend}, or the frontend part of a {@code listen}, to one listener per address. */
final class HaproxyListeners {

    private static final Map<String, String> DEADLINES = Map.of(
            "http-request", "deadlines.request_head",
            "http-keep-alive", "deadlines.keep_alive",
            "tunnel", "deadlines.tunnel_idle");

    private final HaproxySection section;
    private final Map<String, HaproxySection> backends;
    private final HaproxyPolicySources sources;
    private final ImportedConfig config;
    private final ImportReport report;

    HaproxyListeners(
            HaproxySection section,
            Map<String, HaproxySection> backends,
            HaproxyPolicySources sources,
            ImportedConfig config,
            ImportReport report) {
        this.section = section;
        this.backends = backends;
        this.sources = sources;
        this.config = config;
        this.report = report;
    }

    void run() {
        List<HaproxyBind> binds = new ArrayList<>();
        section.all().filter(directive -> directive.name().equals("bind")).forEach(directive -> {
            try {
                binds.addAll(HaproxyBind.of(directive));
            } catch (UntranslatableException e) {
                report.addUnsupported(directive, e.nearest());
            }
        });
        binds.removeIf(bind -> {
            boolean twice = bind.address().equals("0.0.0.0:" + bind.port())
                    && binds.stream().anyMatch(other -> other.address().equals("[::]:" + bind.port()));
            if (twice) {
                report.addChanged(bind.directive(), "[::] also accepts IPv4");
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
            settings(listener, bind, acls);
            HaproxyPolicies policies = new HaproxyPolicies(section, sources, bind, acls, listener, config, report);
            new HaproxyRules(section, backends.keySet(), bind, listener, acls, policies, report).run();
            if (isForStatisticsOnly(listener)) {
                report.addChanged(bind.directive(), "the dashboard has a separate address (dashboard.bind)");
                continue;
            }
            if (!listener.routes().isEmpty()) {
                config.listeners().add(listener);
            }
            if (listener.isHttp()) {
                new HaproxyForwarding(bind, listener, report).read(section, acls, backendsOf(listener));
            }
        }
        section.last("mode").ifPresent(report::addSame);
        report.addSame(section.head());
        section.all()
                .filter(directive -> directive.name().equals("acl") && !report.isReported(directive))
                .forEach(acl -> report.addChanged(acl, "not used by any imported rule"));
    }

    private boolean isForStatisticsOnly(ImportedListener listener) {
        return section.last("stats").isPresent()
                && listener.routes().stream()
                        .allMatch(route -> route.directive() == section.head()
                                && !route.action().containsKey("pool"));
    }

    private void settings(ImportedListener listener, HaproxyBind bind, HaproxyAcls acls) {
        Options options = listener.options();
        section.last("maxconn").ifPresent(maxconn -> {
            options.put("limits.connections", HaproxyBind.number(maxconn.word(1)));
            report.addChanged(maxconn, "connections above this limit are closed instead of queued");
        });
        Stream.of("httplog", "tcplog")
                .forEach(kind -> section.option(kind).ifPresent(option -> {
                    options.put("access_log.to", "stdout");
                    options.put("access_log.format", "json");
                    report.addChanged(option, "requests are logged as JSON lines to stdout (access_log)");
                }));
        if (listener.isHttp()) {
            section.last("timeout", "client").ifPresent(timeout -> {
                time(timeout, options, "deadlines.request_body_idle");
                time(timeout, options, "deadlines.response_idle");
            });
            new TreeMap<>(DEADLINES)
                    .forEach((name, path) ->
                            section.last("timeout", name).ifPresent(timeout -> time(timeout, options, path)));
            HaproxyCompression.read(section, options, config, report);
            section.all().filter(HaproxyHeaders::isResponseRule).forEach(rule -> response(rule, options, bind, acls));
        } else {
            section.last("timeout", "client").ifPresent(timeout -> {
                time(timeout, options, "session.idle");
                report.addChanged(timeout, "session.idle applies when no data flows in either direction");
            });
            section.all()
                    .filter(rule -> rule.name().equals("tcp-request"))
                    .filter(rule -> rule.word(1).equals("inspect-delay")
                            || (rule.word(2).equals("accept") && rule.words().contains("req_ssl_hello_type"))
                            || (rule.word(2).equals("accept") && rule.words().contains("req.ssl_hello_type")))
                    .forEach(rule -> report.addChanged(rule, "routes with sni wait for the ClientHello automatically"));
        }
    }

    private void response(Directive rule, Options options, HaproxyBind bind, HaproxyAcls acls) {
        if (HaproxyHeaders.isHeaderRule(rule)) {
            HaproxyHeaders.write(rule, HaproxyHeaders.scopeOf(rule, acls, bind), options, bind.variables(), report);
        } else {
            report.addUnsupported(
                    rule, "only header rules are supported (headers.response of a listener, route or pool)");
        }
    }

    /** Returns the backends that the routes of a listener use. */
    private List<HaproxySection> backendsOf(ImportedListener listener) {
        Set<Object> pools = listener.routes().stream()
                .map(route -> route.action().getOrDefault("pool", ""))
                .collect(Collectors.toSet());
        return backends.entrySet().stream()
                .filter(backend -> pools.contains(backend.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    private void time(Directive timeout, Options options, String path) {
        try {
            options.put(path, HaproxyTime.limit(timeout.word(2)));
            report.addTranslated(timeout, HaproxyTime.notes(timeout.word(2)));
        } catch (UntranslatableException e) {
            report.addUnsupported(timeout, e.nearest());
        }
    }
}
