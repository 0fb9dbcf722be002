package io.ballast.config.key;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The names that other load balancers use for Ballast's keys and values, from {@code synonyms.properties}.
 * Immutable.
 */
final class Synonyms {

    private static final String CHOICE = "choice";
    private static final Map<String, String> TABLE = table();

    private Synonyms() {}

    /**
     * Returns the Ballast key that corresponds to another balancer's word, in a mapping with the given shape;
     * empty if there is none.
     */
    static Optional<String> key(String shape, String word) {
        return Optional.ofNullable(TABLE.get(shape + "." + normal(word)));
    }

    /** Returns the configuration value of Ballast for a word that another load balancer uses. */
    static Optional<String> value(String word) {
        return key(CHOICE, word);
    }

    /** Returns all synonyms, keyed by shape and word. */
    static Map<String, String> all() {
        return TABLE;
    }

    /** Returns a word in lower case with its parts joined by underscores. */
    private static String normal(String word) {
        return word.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                .replace('-', '_')
                .replace(' ', '_')
                .toLowerCase(Locale.ROOT);
    }

    private static Map<String, String> table() {
        try (InputStream in = Objects.requireNonNull(
                Synonyms.class.getResourceAsStream("synonyms.properties"), "synonyms.properties")) {
            Properties table = new Properties();
            table.load(new InputStreamReader(in, StandardCharsets.UTF_8));
            Map<String, String> synonyms = new TreeMap<>();
            table.stringPropertyNames().forEach(word -> synonyms.put(word, table.getProperty(word)));
            return Collections.unmodifiableMap(synonyms);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
