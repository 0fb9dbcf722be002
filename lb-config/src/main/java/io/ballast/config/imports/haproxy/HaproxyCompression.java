package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedMediaTypes;
import io.ballast.config.imports.Options;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Converts {@code compression} of a section to a policy. */
final class HaproxyCompression {

    private static final String GZIP = "gzip";

    private HaproxyCompression() {}

    /** Adds a policy to the options of a listener or a pool if the section compresses responses. */
    static void read(HaproxySection section, Options options, ImportedConfig config, ImportReport report) {
        List<Directive> lines = section.all()
                .filter(directive -> directive.name().equals("compression"))
                .toList();
        boolean compresses = lines.stream()
                .anyMatch(line ->
                        line.word(1).matches("algo(-res)?") && line.words().contains(GZIP));
        if (!compresses) {
            return;
        }
        Set<String> types = new LinkedHashSet<>();
        for (Directive line : lines) {
            switch (line.word(1)) {
                case "algo", "algo-res" ->
                    report.addTranslated(
                            line,
                            line.words().size() == 3
                                    ? List.of()
                                    : List.of("only gzip is used; other algorithms are not supported"));
                case "type", "type-res" ->
                    report.addTranslated(
                            line,
                            ImportedMediaTypes.addTo(
                                    types, line.words().subList(2, line.words().size())));
                case "offload" -> report.addChanged(line, "backends receive the client's Accept-Encoding header");
                default -> report.addUnsupported(line, "use a compress policy");
            }
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        if (types.isEmpty()) {
            lines.forEach(line ->
                    report.addChanged(line, "only the default media types of a compress policy are compressed"));
        } else {
            settings.put("types", List.copyOf(types));
        }
        settings.put("level", 1); // the default of HAProxy's tune.comp.maxlevel
        settings.put("min_size", "0B");
        options.addTo("policies", config.policy("compress", Map.of("compress", settings)));
    }
}
