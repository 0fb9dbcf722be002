package io.ballast.server.importer.nginx;

import io.ballast.server.importer.Directive;
import io.ballast.server.importer.ImportException;
import io.ballast.server.importer.ImportReport;
import io.ballast.server.importer.ImportTable;
import io.ballast.server.importer.ImportedConfig;
import io.ballast.server.importer.Importer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads nginx's files. Thread safety: immutable. */
public final class NginxImporter implements Importer {

    private static final Map<String, String> OTHERWISE = ImportTable.of(NginxImporter.class, "otherwise");
    private static final Map<String, String> NEAREST = ImportTable.of(NginxImporter.class, "nearest");

    @Override
    public ImportedConfig read(Path file, ImportReport report) throws ImportException {
        List<Directive> root = NginxReader.read(file);
        report.expect(root);
        ImportedConfig config = new ImportedConfig();
        Path directory = file.toAbsolutePath().getParent();
        for (Directive directive : root) {
            switch (directive.name()) {
                case "http" -> http(directive, directory == null ? Path.of("/") : directory, config, report);
                case "stream" -> new NginxStream(config, report).run(directive);
                case "worker_processes" -> workers(directive, config, report);
                default -> {}
            }
        }
        rest(root, directory == null ? Path.of("/") : directory, report);
        return config;
    }

    private static void http(Directive http, Path directory, ImportedConfig config, ImportReport report) {
        NginxPools pools = new NginxPools(config, report);
        for (Directive block : http.block()) {
            if (block.name().equals("upstream")) {
                pools.upstream(block);
            }
        }
        new NginxListeners(directory, config, report).run(http, pools);
        report.same(http);
    }

    private static void workers(Directive workers, ImportedConfig config, ImportReport report) {
        if (workers.word(1).matches("[1-9][0-9]{0,2}")) {
            config.options().put("event_loops", Integer.valueOf(workers.word(1)));
        }
        report.same(workers);
    }

    private static void rest(List<Directive> directives, Path directory, ImportReport report) {
        for (Directive directive : directives) {
            if (!report.isReported(directive)) {
                String otherwise = OTHERWISE.get(directive.name());
                if (directive.name().equals("include")) {
                    include(directive, directory, report);
                } else if (otherwise != null) {
                    report.changed(directive, otherwise);
                } else {
                    report.noEqual(directive, NEAREST.getOrDefault(directive.name(), ""));
                }
            }
            rest(directive.block(), directory, report);
        }
    }

    /** What was included has lines of its own. */
    private static void include(Directive include, Path directory, ImportReport report) {
        String name = include.word(1);
        if (name.matches(".*[*?\\[].*") || Files.exists(directory.resolve(name))) {
            report.same(include);
        } else if (name.endsWith("mime.types")) {
            report.changed(include, "backends say what their content is");
        } else {
            report.noEqual(include, "there is no such file");
        }
    }
}
