package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.ImportedRoute;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Converts the {@code server} blocks of {@code http} to one listener per address. */
final class NginxListeners {

    /** nginx's default limit for request bodies. */
    private static final String BODY = "1MiB";

    private static final Map<String, String> TIMES = Map.of(
            "client_header_timeout", "deadlines.request_head",
            "client_body_timeout", "deadlines.request_body_idle",
            "send_timeout", "deadlines.response_idle",
            "keepalive_timeout", "deadlines.keep_alive");

    private record Server(Directive block, NginxScope scope, NginxListen listen) {}

    private final Path base;
    private final ImportedConfig config;
    private final ImportReport report;
    private final NginxPolicies policies;
    private final NginxFiles files;
    private final Map<String, List<Server>> byAddress = new LinkedHashMap<>();

    NginxListeners(Path base, ImportedConfig config, ImportReport report) {
        this.base = base;
        this.config = config;
        this.report = report;
        this.policies = new NginxPolicies(base, config, report);
        this.files = new NginxFiles(base, report);
    }

    void run(Directive http, NginxPools pools) {
        NginxScope outer = NginxScope.of(http);
        for (Directive block : http.block()) {
            if (block.name().equals("server")) {
                add(block, outer.within(block));
            }
        }
        joinWildcards();
        byAddress.forEach((address, servers) -> listener(address, servers, pools));
    }

    private void add(Directive block, NginxScope scope) {
        List<Directive> lines = block.block().stream()
                .filter(directive -> directive.name().equals("listen"))
                .toList();
        List<NginxListen> listens =
                new ArrayList<>(lines.stream().map(NginxListen::of).toList());
        if (lines.isEmpty()) {
            listens.add(new NginxListen(block, "0.0.0.0:80"));
        }
        for (NginxListen listen : listens) {
            byAddress
                    .computeIfAbsent(listen.address(), absent -> new ArrayList<>())
                    .add(new Server(block, scope, listen));
            if (!lines.isEmpty()) {
                report.addTranslated(
                        listen.directive(),
                        listen.unknown().stream()
                                .map(word -> word + " is ignored")
                                .toList());
            }
        }
        report.addSame(block);
    }

    /**
     * Merges the servers of both wildcard addresses, because in Ballast's format the IPv6 wildcard also accepts
     * IPv4.
     */
    private void joinWildcards() {
        for (String address : List.copyOf(byAddress.keySet())) {
            if (!address.startsWith("[::]:")) {
                continue;
            }
            List<Server> servers = new ArrayList<>();
            List<Server> others = byAddress.remove("0.0.0.0" + address.substring("[::]".length()));
            if (others == null) {
                byAddress
                        .getOrDefault(address, List.of())
                        .forEach(server -> report.addChanged(server.listen.directive(), "[::] also accepts IPv4"));
                continue;
            }
            servers.addAll(others);
            byAddress.getOrDefault(address, List.of()).stream()
                    .filter(server -> others.stream().noneMatch(other -> other.block == server.block))
                    .forEach(servers::add);
            byAddress.put(address, servers);
        }
    }

    private void listener(String address, List<Server> servers, NginxPools pools) {
        Server first = servers.stream()
                .filter(server -> server.listen.isDefault())
                .findFirst()
                .orElse(servers.get(0));
        String name = "http-" + first.listen.port().replaceAll("[^0-9A-Za-z]", "-");
        listener(address, servers, first, pools, config.unusedName(name));
    }

    private void listener(String address, List<Server> servers, Server first, NginxPools pools, String name) {
        ImportedListener listener = new ImportedListener(name, address, "http");
        Options options = listener.options();
        List<Object> certificates = new ArrayList<>();
        boolean isTls = servers.stream().anyMatch(server -> isTls(server));
        if (isTls) {
            certificates(first, certificates);
            servers.stream()
                    .filter(server -> !server.equals(first))
                    .forEach(server -> certificates(server, certificates));
            tls(certificates, options);
            boolean offersHttp2 = servers.stream()
                    .anyMatch(server -> server.listen.has("http2")
                            || server.scope
                                    .last("http2")
                                    .filter(on -> on.word(1).equals("on"))
                                    .isPresent());
            if (!offersHttp2) {
                options.put("tls.alpn", List.of("http/1.1"));
            }
            profile(first.scope, options);
        }
        if (servers.stream().anyMatch(server -> server.listen.has("proxy_protocol"))) {
            List<Directive> trusted = first.scope.all("set_real_ip_from");
            options.put(
                    "proxy_protocol.trusted",
                    trusted.isEmpty()
                            ? List.of("0.0.0.0/0", "::/0")
                            : trusted.stream().map(NginxListeners::network).toList());
            trusted.forEach(report::addSame);
            report.addChanged(first.listen.directive(), "restrict proxy_protocol.trusted to your proxies");
        }
        settings(servers, first, options);
        options.put("upgrades", List.of());
        Optional<Directive> underscores = first.scope.last("underscores_in_headers");
        underscores.ifPresent(report::addSame);
        Optional<Directive> ignored = first.scope.last("ignore_invalid_headers");
        ignored.ifPresent(each -> report.addChanged(
                each, "underscores: pass; headers whose names contain other invalid characters are rejected"));
        if (underscores.filter(on -> on.word(1).equals("on")).isEmpty()
                && ignored.filter(on -> on.word(1).equals("off")).isEmpty()) {
            options.put("underscores", "drop");
        }
        // The default server serves hosts that no other server names, so its routes come last.
        List<Server> ordered = new ArrayList<>(servers);
        ordered.removeIf(server -> server.equals(first));
        ordered.add(first);
        for (Server server : ordered) {
            new NginxServer(
                            server.block,
                            server.scope,
                            /* isDefault= */ server.equals(first),
                            isTls,
                            first.listen.port(),
                            listener,
                            pools,
                            new NginxErrorPages(server.block, server.scope, base, report),
                            policies,
                            files,
                            report)
                    .run();
        }
        // An exact name takes precedence over a longer suffix, and a longer suffix over a shorter one,
        // regardless of the order of servers.
        listener.routes().sort(Comparator.comparing(ImportedRoute::match, ImportedConditions.BY_HOST));
        config.listeners().add(listener);
    }

    private static boolean isTls(Server server) {
        return server.listen.has("ssl")
                || server.scope
                        .last("ssl")
                        .filter(ssl -> ssl.word(1).equals("on"))
                        .isPresent();
    }

    private void certificates(Server server, List<Object> certificates) {
        List<Directive> chains = server.scope.all("ssl_certificate");
        List<Directive> keys = server.scope.all("ssl_certificate_key");
        for (int i = 0; i < Math.min(chains.size(), keys.size()); i++) {
            if (chains.get(i).word(1).contains("$") || keys.get(i).word(1).contains("$")) {
                report.addUnsupported(chains.get(i), "tls.certificates supports only fixed file names");
                continue;
            }
            Map<String, Object> pair = new LinkedHashMap<>();
            pair.put("certificate", path(chains.get(i)));
            pair.put("key", path(keys.get(i)));
            if (!certificates.contains(pair)) {
                certificates.add(pair);
            }
            report.addSame(chains.get(i));
            report.addSame(keys.get(i));
        }
    }

    private static void tls(List<Object> certificates, Options options) {
        if (certificates.size() == 1) {
            ((Map<?, ?>) certificates.get(0)).forEach((key, file) -> options.put("tls." + key, file));
        } else {
            options.put("tls.certificates", certificates);
        }
    }

    private void profile(NginxScope scope, Options options) {
        scope.last("ssl_protocols").ifPresent(protocols -> {
            boolean onlyNewest = protocols.arguments().equals(List.of("TLSv1.3"));
            options.put("tls.profile", onlyNewest ? "modern" : "intermediate");
            boolean old = protocols.arguments().stream().anyMatch(word -> !word.matches("TLSv1\\.[23]"));
            if (old) {
                report.addUnsupported(
                        protocols,
                        "older versions are not supported; tls.profile intermediate (TLS 1.2 and 1.3) is used");
            } else {
                report.addSame(protocols);
            }
        });
        scope.last("ssl_client_certificate").ifPresent(ca -> {
            options.put("tls.client_certificate.ca", path(ca));
            report.addSame(ca);
        });
        scope.last("ssl_verify_client").ifPresent(verify -> {
            switch (verify.word(1)) {
                case "on" -> report.addSame(verify);
                case "optional" -> {
                    options.put("tls.client_certificate.mode", "optional");
                    report.addSame(verify);
                }
                default -> report.addUnsupported(verify, "tls.client_certificate.mode");
            }
        });
    }

    private void settings(List<Server> servers, Server first, Options options) {
        new TreeMap<>(TIMES)
                .forEach((name, path) -> first.scope.last(name).ifPresent(directive -> {
                    try {
                        if (name.equals("keepalive_timeout")
                                && NginxValue.timeOrZero(directive.word(1)).equals(NginxValue.NO_TIME)) {
                            options.put("limits.requests_per_connection", 1);
                        } else {
                            options.put(path, NginxValue.time(directive.word(1)));
                        }
                        report.addSame(directive);
                    } catch (UntranslatableException e) {
                        report.addUnsupported(directive, e.nearest());
                    }
                }));
        body(servers, first, options);
        first.scope.last("keepalive_requests").ifPresent(requests -> {
            // In nginx, 0 closes each connection after its first request; in Ballast, 0 means no limit.
            boolean none = requests.word(1).equals("0");
            options.put("limits.requests_per_connection", none ? 1 : NginxValue.number(requests.word(1)));
            report.addSame(requests);
        });
        first.scope.last("access_log").ifPresent(log -> {
            if (log.word(1).equals("off")) {
                report.addSame(log);
                return;
            }
            if (log.word(1).startsWith("syslog:") || log.word(1).contains("$")) {
                report.addUnsupported(log, "access_log can be written only to a fixed file or to stdout");
                return;
            }
            options.put("access_log.to", path(log));
            options.put("access_log.format", log.words().size() < 3 ? "combined" : "json");
            if (log.words().size() > 2 && !log.word(2).equals("combined")) {
                report.addChanged(
                        log, "custom formats are not supported; the log uses JSON lines with their own fields");
            } else {
                report.addSame(log);
            }
        });
        for (Server server : servers) {
            for (String name : new String[] {"access_log", "keepalive_timeout", "send_timeout", "ssl_protocols"}) {
                server.scope
                        .last(name)
                        .filter(directive -> !report.isReported(directive))
                        .ifPresent(directive -> report.addChanged(
                                directive, "the default server's value applies to the whole listener"));
            }
        }
    }

    /** Sets the size limit of request bodies to that of the default server, because a listener has one limit. */
    private void body(List<Server> servers, Server first, Options options) {
        options.put("limits.body", BODY);
        Optional<Directive> size = first.scope.last("client_max_body_size");
        try {
            if (size.isPresent()) {
                String written = NginxValue.size(size.get().word(1));
                options.put("limits.body", written.matches("0+[A-Z].*") ? "unlimited" : written);
                report.addSame(size.get());
            }
        } catch (UntranslatableException e) {
            size.ifPresent(directive -> report.addUnsupported(directive, e.nearest()));
        }
        for (Server server : servers) {
            server.scope
                    .last("client_max_body_size")
                    .filter(other -> !report.isReported(other))
                    .ifPresent(other -> report.addUnsupported(
                            other, "limits.body applies to the whole listener; the default server's value is used"));
        }
    }

    private Object path(Directive directive) {
        String name = directive.word(1);
        return base.resolve(name).toString();
    }

    private static Object network(Directive directive) {
        String text = directive.word(1);
        return text.contains("/") ? text : text + (text.contains(":") ? "/128" : "/32");
    }
}
