package io.ballast.config.imports;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Reads a table of an importer: a properties file next to the importer's class that lists the directives of
 * the other load balancer.
 */
public final class ImportTable {

    private ImportTable() {}

    /**
     * Reads a table and returns it as an immutable map.
     *
     * @param name the name of the file, without {@code .properties}
     * @throws IllegalArgumentException if there is no such file
     */
    public static Map<String, String> of(Class<?> importer, String name) {
        try (InputStream in = importer.getResourceAsStream(name + ".properties")) {
            if (in == null) {
                throw new IllegalArgumentException(
                        name + ".properties: resource not found next to class " + importer.getName());
            }
            Reader reader = new InputStreamReader(in, StandardCharsets.UTF_8);
            Properties table = new Properties();
            table.load(reader);
            return table.stringPropertyNames().stream()
                    .collect(Collectors.toUnmodifiableMap(word -> word, table::getProperty));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
