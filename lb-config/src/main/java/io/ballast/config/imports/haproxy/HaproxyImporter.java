package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportException;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportTable;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.Importer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Imports HAProxy configuration files. Thread safety: immutable. */
public final class HaproxyImporter implements Importer {

    private static final Map<String, String> ALTERNATIVES = ImportTable.of(HaproxyImporter.class, "otherwise");
    private static final Map<String, String> OPTION_ALTERNATIVES =
            ImportTable.of(HaproxyImporter.class, "options-otherwise");

    @Override
    public ImportedConfig read(Path file, ImportReport report) throws ImportException {
        List<HaproxySection> sections = HaproxySection.read(file);
        Map<String, HaproxySection> backends = new LinkedHashMap<>();
        for (HaproxySection section : sections) {
            report.registerDirectives(List.of(section.head()));
            report.registerDirectives(section.own());
            boolean serves =
                    section.all().anyMatch(directive -> directive.name().equals("server"));
            if (section.isBackend() && serves) {
                backends.put(section.name(), section);
            }
        }
        ImportedConfig config = new ImportedConfig();
        HaproxyPolicySources sources = HaproxyPolicySources.of(sections);
        for (HaproxySection section : sections) {
            if (section.isFrontend()) {
                new HaproxyListeners(section, backends, sources, config, report).run();
            }
        }
        backends.forEach((name, section) -> {
            HaproxyPolicies policies = HaproxyPolicies.ofPool(section, sources, config, report);
            new HaproxyPool(section, config.pool(name), policies, report).run();
            if (!section.isFrontend() && section.isHttp()) {
                HaproxyCompression.read(section, config.pool(name), config, report);
            }
        });
        for (HaproxySection section : sections) {
            reportRemaining(section, config, report);
        }
        return config;
    }

    private static void reportRemaining(HaproxySection section, ImportedConfig config, ImportReport report) {
        Directive head = section.head();
        switch (section.kind()) {
            case "global" -> {
                report.addSame(head);
                section.last("nbthread")
                        .filter(threads -> threads.word(1).matches("[0-9]{1,4}"))
                        .ifPresent(threads -> {
                            config.options().put("event_loops", Integer.valueOf(threads.word(1)));
                            report.addSame(threads);
                        });
                section.last("maxconn")
                        .ifPresent(maxconn -> report.addChanged(
                                maxconn,
                                "use limits.connections of each listener and LimitNOFILE= of the systemd unit"));
            }
            case "defaults" -> {
                report.addSame(head);
                section.own().stream()
                        .filter(directive -> !report.isReported(directive))
                        .filter(directive -> isUnderstood(directive))
                        .forEach(directive -> report.addChanged(directive, "not used by any imported section"));
            }
            case "resolvers" -> {
                report.addChanged(
                        head,
                        "backend names are resolved by the servers in resolv.conf, and again when their TTL expires");
                section.own()
                        .forEach(own -> report.addChanged(own, "resolv.conf determines which DNS servers are queried"));
            }
            case "backend" -> {
                if (!report.isReported(head)) {
                    report.addChanged(head, "ignored: the section has no imported servers");
                }
            }
            default -> {}
        }
        for (Directive directive : section.own()) {
            if (report.isReported(directive)) {
                continue;
            }
            String otherwise = !isSupported(section)
                    ? null
                    : directive.name().equals("option")
                            ? OPTION_ALTERNATIVES.get(directive.word(1))
                            : ALTERNATIVES.get(directive.name());
            if (directive.name().equals("no")) {
                report.addChanged(directive, "already off by default");
            } else if (directive.name().equals("mode")) {
                report.addSame(directive);
            } else if (otherwise != null) {
                report.addChanged(directive, otherwise);
            } else {
                report.addUnsupported(directive, nearest(directive));
            }
        }
    }

    private static boolean isSupported(HaproxySection section) {
        return section.isFrontend() || section.isBackend() || section.kind().matches("global|defaults");
    }

    private static boolean isUnderstood(Directive directive) {
        return switch (directive.name()) {
            case "mode", "balance", "retries", "maxconn", "default-server", "default_backend" -> true;
            case "timeout" -> !directive.word(1).matches("tarpit|client-fin|server-fin");
            case "option" ->
                switch (directive.word(1)) {
                    case "httplog", "tcplog", "forwardfor", "redispatch", "httpchk", "allbackups" -> true;
                    default -> false;
                };
            default -> false;
        };
    }

    private static String nearest(Directive directive) {
        return switch (directive.name()) {
            case "stick-table", "http-request" -> "use policies, such as rate_limit";
            case "cookie", "stick", "appsession" -> "use the strategy sticky, which sets a cookie, or ip-hash";
            case "compression" -> "use a compress policy";
            case "errorfile", "errorfiles", "http-error" ->
                "use 'error_pages' with a file that has only the body, not the head of the response";
            case "rate-limit" -> "use a rate_limit policy";
            case "use-server" -> "use a separate pool for each server";
            case "timeout" -> "use session.idle and deadlines";
            case "user", "group" -> "use users or users_file of a basic policy";
            case "tcp-request" -> "use routes with 'client', or 'limits' of the listener";
            default -> "";
        };
    }
}
