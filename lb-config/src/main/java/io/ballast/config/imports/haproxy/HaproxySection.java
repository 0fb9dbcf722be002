package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportException;
import io.ballast.config.imports.ImportedText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A section of the file.
 *
 * @param head the first line of the section
 * @param inherited the directives that the section inherits from its {@code defaults} section
 * @param own the directives of the section itself
 */
record HaproxySection(Directive head, List<Directive> inherited, List<Directive> own) {

    private static final Set<String> KINDS = Set.of(
            "global",
            "defaults",
            "frontend",
            "backend",
            "listen",
            "userlist",
            "peers",
            "resolvers",
            "mailers",
            "cache",
            "program",
            "ring",
            "http-errors",
            "log-forward",
            "crt-store",
            "fcgi-app");
    private static final int MAX_LINES = 100_000;
    private static final String DEFAULTS = "defaults";

    /** Returns the sections of a file in their order. */
    static List<HaproxySection> read(Path file) throws ImportException {
        List<HaproxySection> sections = new ArrayList<>();
        Map<String, List<Directive>> named = new HashMap<>();
        List<Directive> defaults = List.of();
        List<Directive> own = new ArrayList<>();
        String[] lines = ImportedText.of(file).split("\\R", MAX_LINES);
        if (lines.length == MAX_LINES) {
            throw new ImportException(file + " has more than " + MAX_LINES + " lines");
        }
        for (int i = 0; i < lines.length; i++) {
            String place = file + ":" + (i + 1);
            List<String> words = HaproxyTokenizer.words(place, lines[i]);
            if (words.isEmpty()) {
                continue;
            }
            Directive directive = new Directive(file.toString(), i + 1, words, List.of());
            if (!KINDS.contains(directive.name())) {
                if (sections.isEmpty() && !directive.name().startsWith(".")) {
                    throw new ImportException(place + ": " + directive.displayText() + " is outside any section");
                }
                own.add(directive);
                continue;
            }
            own = new ArrayList<>();
            int from = words.indexOf("from");
            List<Directive> base = from > 0 ? named.getOrDefault(directive.word(from + 1), List.of()) : defaults;
            if (directive.name().equals(DEFAULTS)) {
                // Lines of the defaults section come before the section's own lines.
                own.addAll(from > 0 ? base : List.of());
                defaults = own;
                named.put(directive.word(1), own);
                base = List.of();
            }
            sections.add(new HaproxySection(directive, base, own));
        }
        return sections;
    }

    /** Returns the kind of section, such as {@code frontend}. */
    String kind() {
        return head.name();
    }

    /** The name of the proxy that this section defines. */
    String name() {
        return head.word(1);
    }

    boolean isFrontend() {
        return kind().equals("frontend") || kind().equals("listen");
    }

    boolean isBackend() {
        return kind().equals("backend") || kind().equals("listen");
    }

    /** Returns all directives, the inherited directives first. */
    Stream<Directive> all() {
        return Stream.concat(inherited.stream(), own.stream());
    }

    /**
     * Returns the last directive with this name; if {@code argument} is given, its second word must be this
     * argument. The last directive is the effective one.
     */
    Optional<Directive> last(String name, String... argument) {
        Predicate<Directive> wanted = directive -> directive.name().equals(name)
                && (argument.length == 0 || directive.word(1).equals(argument[0]));
        return all().filter(wanted).reduce((before, after) -> after);
    }

    /** Returns {@code option NAME}, unless {@code no option NAME} comes after it. */
    Optional<Directive> option(String name) {
        return all().filter(directive -> (directive.name().equals("option")
                                && directive.word(1).equals(name))
                        || (directive.name().equals("no") && directive.word(2).equals(name)))
                .reduce((before, after) -> after)
                .filter(directive -> directive.name().equals("option"));
    }

    /** Returns whether the section's mode is {@code http}; HAProxy's own default is {@code tcp}. */
    boolean isHttp() {
        return last("mode").filter(mode -> mode.word(1).equals("http")).isPresent();
    }
}
