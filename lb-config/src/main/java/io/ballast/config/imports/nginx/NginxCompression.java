package io.ballast.config.imports.nginx;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConfig;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Translates {@code gzip} and {@code brotli} to policies that compress. */
final class NginxCompression {

    private static final String NAME = "compress";
    private static final String ALL_TYPES = "*";
    private static final String HTML = "text/html";

    private final ImportedConfig config;
    private final ImportReport report;
    private final Map<Map<String, Object>, String> names = new LinkedHashMap<>();

    NginxCompression(ImportedConfig config, ImportReport report) {
        this.config = config;
        this.report = report;
    }

    /** Adds a policy to the action of a route if nginx compresses the responses of its location. */
    void addTo(NginxScope location, Map<String, Object> action) {
        boolean gzip = isOn(location, "gzip");
        boolean brotli = isOn(location, "brotli");
        for (String name : List.of("gzip_vary", "gzip_proxied", "gzip_http_version", "gzip_disable", "gzip_buffers")) {
            location.last(name)
                    .ifPresent(
                            each -> report.addChanged(each, "compress always sends Vary, and uses HTTP/1.1 or later"));
        }
        if (!gzip && !brotli) {
            return;
        }
        Map<String, Object> keys = new LinkedHashMap<>();
        types(location, gzip ? "gzip" : "brotli").ifPresent(types -> keys.put("types", types));
        List<Object> encodings = new ArrayList<>();
        if (brotli) {
            encodings.add("br");
        }
        if (gzip) {
            encodings.add("gzip");
        }
        keys.put("encodings", encodings);
        number(location, "gzip_comp_level", 9, level -> keys.put("level", level));
        number(location, "brotli_comp_level", 6, level -> keys.put("br_level", level));
        minSize(location, gzip ? "gzip_min_length" : "brotli_min_length", keys);
        action.put("policies", List.of(policy(keys)));
    }

    private boolean isOn(NginxScope location, String name) {
        Optional<Directive> directive = location.last(name);
        directive.ifPresent(report::addSame);
        return directive.filter(on -> on.word(1).equals("on")).isPresent();
    }

    /** Returns the media types; empty for the default of Ballast. nginx always compresses HTML. */
    private Optional<List<Object>> types(NginxScope location, String coding) {
        Optional<Directive> directive = location.last(coding + "_types");
        location.last((coding.equals("gzip") ? "brotli" : "gzip") + "_types")
                .ifPresent(other -> report.addChanged(other, "the types of " + coding + " apply to all codings"));
        if (directive.isEmpty()) {
            return Optional.of(List.of(HTML));
        }
        if (directive.get().arguments().contains(ALL_TYPES)) {
            report.addChanged(directive.get(), "types: text, JSON, JavaScript, XML, SVG, fonts and WebAssembly");
            return Optional.empty();
        }
        List<Object> types = new ArrayList<>(List.of(HTML));
        directive.get().arguments().stream()
                .filter(type -> !types.contains(type))
                .forEach(types::add);
        report.addSame(directive.get());
        return Optional.of(types);
    }

    private void number(NginxScope location, String name, int max, Consumer<Integer> setter) {
        location.last(name).ifPresent(directive -> {
            String text = directive.word(1);
            int level = text.matches("[1-9][0-9]?") ? Integer.parseInt(text) : 1;
            setter.accept(Math.min(level, max));
            if (level > max) {
                report.addChanged(directive, "the highest level is " + max);
            } else {
                report.addSame(directive);
            }
        });
    }

    private void minSize(NginxScope location, String name, Map<String, Object> keys) {
        location.last(name).ifPresent(directive -> {
            try {
                keys.put("min_size", NginxValue.size(directive.word(1)));
                report.addSame(directive);
            } catch (UntranslatableException e) {
                report.addUnsupported(directive, e.nearest());
            }
        });
    }

    private String policy(Map<String, Object> keys) {
        String known = names.get(keys);
        if (known != null) {
            return known;
        }
        String name = names.isEmpty() ? NAME : NAME + "-" + (names.size() + 1);
        names.put(keys, name);
        config.options().put("policies." + name + ".compress", keys);
        return name;
    }
}
