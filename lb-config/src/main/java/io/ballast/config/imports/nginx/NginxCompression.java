package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.ImportedMediaTypes;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Converts {@code gzip}, {@code brotli} and their settings to a policy. */
final class NginxCompression {

    private static final List<String> IGNORED =
            List.of("gzip_buffers", "gzip_http_version", "gzip_disable", "gzip_static", "gunzip", "brotli_static");
    /** The default compression levels of nginx and of its Brotli module. */
    private static final int GZIP_LEVEL = 1;

    private static final int BROTLI_LEVEL = 6;

    private final ImportedConfig config;
    private final ImportReport report;

    NginxCompression(ImportedConfig config, ImportReport report) {
        this.config = config;
        this.report = report;
    }

    /** Returns the name of the policy that compresses the responses of a location, if any. */
    Optional<String> policy(NginxScope scope) {
        Optional<Directive> gzip = enabled(scope, "gzip");
        Optional<Directive> brotli = enabled(scope, "brotli");
        if (gzip.isEmpty() && brotli.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> settings = new LinkedHashMap<>();
        types(scope, gzip.isPresent() ? "gzip_types" : "brotli_types", settings);
        if (brotli.isPresent()) {
            settings.put("encodings", gzip.isPresent() ? List.of("br", "gzip") : List.of("br"));
            settings.put("br_level", level(scope, "brotli_comp_level", BROTLI_LEVEL));
            report.addSame(brotli.get());
        }
        if (gzip.isPresent()) {
            settings.put("level", level(scope, "gzip_comp_level", GZIP_LEVEL));
            List<String> notes = new ArrayList<>();
            option(scope, "gzip_vary", "on").ifPresent(notes::add);
            option(scope, "gzip_proxied", "any").ifPresent(notes::add);
            report.addTranslated(gzip.get(), notes);
        }
        settings.put("min_size", minSize(scope, gzip.isPresent() ? "gzip_min_length" : "brotli_min_length"));
        IGNORED.forEach(name -> scope.last(name)
                .filter(directive -> !report.isReported(directive))
                .ifPresent(directive -> report.addChanged(directive, "ignored: a compress policy has no such option")));
        return Optional.of(config.policy("compress", Map.of("compress", settings)));
    }

    /** Returns the directive that switches a coding on; empty if it is missing or off. */
    private Optional<Directive> enabled(NginxScope scope, String coding) {
        Optional<Directive> directive = scope.last(coding);
        if (directive.filter(found -> found.word(1).equals("on")).isPresent()) {
            return directive;
        }
        directive.ifPresent(report::addSame);
        return Optional.empty();
    }

    private void types(NginxScope scope, String name, Map<String, Object> settings) {
        Set<String> types = new LinkedHashSet<>(List.of("text/html"));
        scope.last(name.equals("gzip_types") ? "brotli_types" : "gzip_types")
                .ifPresent(other -> report.addChanged(other, name + " applies to all encodings"));
        scope.last(name)
                .ifPresent(directive ->
                        report.addTranslated(directive, ImportedMediaTypes.addTo(types, directive.arguments())));
        settings.put("types", List.copyOf(types));
    }

    private Object level(NginxScope scope, String name, int byDefault) {
        Optional<Directive> level = scope.last(name);
        level.ifPresent(report::addSame);
        return level.map(directive -> NginxValue.number(directive.word(1))).orElse(byDefault);
    }

    private Object minSize(NginxScope scope, String name) {
        Optional<Directive> size = scope.last(name);
        try {
            String text = size.isPresent() ? NginxValue.size(size.get().word(1)) : "20B";
            size.ifPresent(report::addSame);
            return text;
        } catch (UntranslatableException e) {
            size.ifPresent(directive -> report.addUnsupported(directive, e.nearest()));
            return "20B";
        }
    }

    /** Returns a note unless the option has the only value that Ballast supports. */
    private Optional<String> option(NginxScope scope, String name, String supported) {
        Optional<Directive> option = scope.last(name);
        if (option.filter(directive -> directive.word(1).equals(supported)).isPresent()) {
            option.ifPresent(report::addSame);
            return Optional.empty();
        }
        String note = "works as if '" + name + " " + supported + "' were set";
        option.ifPresent(directive -> report.addChanged(directive, note));
        return Optional.of(note);
    }
}
