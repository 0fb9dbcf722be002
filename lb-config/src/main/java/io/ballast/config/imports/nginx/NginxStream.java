package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedListener;
import io.ballast.config.imports.ImportedRoute;
import io.ballast.config.imports.UntranslatableException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts the {@code stream} block to {@code tcp} and {@code udp} listeners. */
final class NginxStream {

    private final ImportedConfig config;
    private final ImportReport report;

    NginxStream(ImportedConfig config, ImportReport report) {
        this.config = config;
        this.report = report;
    }

    void run(Directive stream) {
        NginxPools pools = new NginxPools(config, report);
        NginxScope outer = NginxScope.of(stream);
        for (Directive block : stream.block()) {
            if (block.name().equals("upstream")) {
                pools.upstream(block);
            }
        }
        for (Directive block : stream.block()) {
            if (block.name().equals("server")) {
                server(block, outer.within(block), pools);
            }
        }
        report.addSame(stream);
    }

    private void server(Directive block, NginxScope scope, NginxPools pools) {
        Optional<Directive> pass = scope.last("proxy_pass");
        if (pass.isEmpty()) {
            report.addUnsupported(block, "the server block has no proxy_pass; use a listener with a pool");
            return;
        }
        String pool;
        try {
            pool = pools.stream(pass.get(), scope);
            report.addSame(pass.get());
        } catch (UntranslatableException e) {
            report.addUnsupported(pass.get(), e.nearest());
            return;
        }
        for (Directive directive : block.block()) {
            if (directive.name().equals("listen")) {
                NginxListen listen = NginxListen.of(directive);
                String protocol = listen.has("udp") ? "udp" : "tcp";
                String name = config.unusedName(protocol + "-" + listen.port());
                ImportedListener listener = new ImportedListener(name, listen.address(), protocol);
                options(scope, listen, listener);
                listener.routes().add(ImportedRoute.toPool(ImportedConditions.ALL, pool, pass.get()));
                config.listeners().add(listener);
                report.addTranslated(
                        directive,
                        listen.unknown().stream()
                                .map(word -> word + " is ignored")
                                .toList());
            }
        }
        report.addSame(block);
    }

    private void options(NginxScope scope, NginxListen listen, ImportedListener listener) {
        scope.last("proxy_timeout").ifPresent(timeout -> {
            try {
                listener.options().put("session.idle", NginxValue.time(timeout.word(1)));
                report.addSame(timeout);
            } catch (UntranslatableException e) {
                report.addUnsupported(timeout, e.nearest());
            }
        });
        if (listen.has("ssl")) {
            Map<String, String> files = new LinkedHashMap<>();
            files.put("ssl_certificate", "tls.certificate");
            files.put("ssl_certificate_key", "tls.key");
            files.forEach((name, path) -> scope.last(name).ifPresent(file -> {
                listener.options().put(path, file.word(1));
                report.addSame(file);
            }));
        }
        if (listen.has("proxy_protocol")) {
            listener.options().put("proxy_protocol.trusted", List.of("0.0.0.0/0", "::/0"));
            report.addChanged(listen.directive(), "restrict proxy_protocol.trusted to your proxies");
        }
    }
}
