package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportException;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportTable;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.Importer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Imports nginx configuration files. Thread safety: immutable. */
public final class NginxImporter implements Importer {

    private static final Map<String, String> ALTERNATIVES = ImportTable.of(NginxImporter.class, "otherwise");
    private static final String UPGRADES = "'upgrades' of the listener determines the Connection header";
    private static final Set<String> BLOCKS = Set.of("http", "stream", "events", "mail");
    private static final Map<String, String> NEAREST = ImportTable.of(NginxImporter.class, "nearest");

    @Override
    public ImportedConfig read(Path file, ImportReport report) throws ImportException {
        List<Directive> root = NginxReader.read(file);
        report.registerDirectives(root);
        ImportedConfig config = new ImportedConfig();
        Path directory = NginxReader.base(file);
        for (Directive directive : withBlocks(file, root)) {
            switch (directive.name()) {
                case "http" -> http(directive, directory, config, report);
                case "stream" -> new NginxStream(config, report).run(directive);
                case "worker_processes" -> workers(directive, config, report);
                default -> {}
            }
        }
        reportRemaining(root, directory, report);
        return config;
    }

    /**
     * Returns the directives of a file with their blocks. The directives of a file without blocks are wrapped in the
     * block in which nginx.conf includes it: files in {@code sites-available} and {@code conf.d} belong to {@code
     * http}. A {@code proxy_pass} directly in a {@code server} belongs to {@code stream}.
     */
    private static List<Directive> withBlocks(Path file, List<Directive> root) {
        if (root.stream().map(Directive::name).anyMatch(BLOCKS::contains)) {
            return root;
        }
        boolean isStream = root.stream()
                .filter(directive -> directive.name().equals("server"))
                .flatMap(server -> server.block().stream())
                .anyMatch(directive -> directive.name().equals("proxy_pass"));
        return List.of(new Directive(file.toString(), 1, List.of(isStream ? "stream" : "http"), root));
    }

    private static void http(Directive http, Path directory, ImportedConfig config, ImportReport report) {
        NginxPools pools = new NginxPools(config, report);
        for (Directive block : http.block()) {
            if (block.name().equals("upstream")) {
                pools.upstream(block);
            }
        }
        new NginxListeners(directory, config, report).run(http, pools);
        report.addSame(http);
    }

    private static void workers(Directive workers, ImportedConfig config, ImportReport report) {
        if (workers.word(1).matches("[1-9][0-9]{0,2}")) {
            config.options().put("event_loops", Integer.valueOf(workers.word(1)));
        }
        report.addSame(workers);
    }

    private static void reportRemaining(List<Directive> directives, Path directory, ImportReport report) {
        for (Directive directive : directives) {
            if (!report.isReported(directive)) {
                String otherwise = ALTERNATIVES.get(directive.name());
                if (directive.name().equals("include")) {
                    include(directive, directory, report);
                } else if (directive.name().equals("map") && directive.word(1).equals("$http_upgrade")) {
                    directive.block().forEach(each -> report.addChanged(each, UPGRADES));
                    report.addChanged(directive, UPGRADES);
                } else if (otherwise != null) {
                    report.addChanged(directive, otherwise);
                } else {
                    report.addUnsupported(directive, NEAREST.getOrDefault(directive.name(), ""));
                }
            }
            reportRemaining(directive.block(), directory, report);
        }
    }

    /** Reads an included file, with its own line numbers. */
    private static void include(Directive include, Path directory, ImportReport report) {
        String name = include.word(1);
        if (name.matches(".*[*?\\[].*") || Files.exists(directory.resolve(name))) {
            report.addSame(include);
        } else if (name.endsWith("mime.types")) {
            report.addChanged(include, "backends set the Content-Type");
        } else {
            report.addUnsupported(include, "file not found");
        }
    }
}
