package io.ballast.http.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/** Media types by the extensions of file names, from the resource {@code media-types.properties}. */
final class FileMediaTypes {

    private static final String UNKNOWN = "application/octet-stream";
    private static final Map<String, String> BY_EXTENSION = load();

    private FileMediaTypes() {}

    private static Map<String, String> load() {
        Properties lines = new Properties();
        try (InputStream in = Objects.requireNonNull(
                FileMediaTypes.class.getResourceAsStream("media-types.properties"), "media-types.properties")) {
            lines.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Map<String, String> types = new HashMap<>();
        lines.forEach((type, extensions) -> {
            for (String extension : extensions.toString().split(" ")) {
                types.put(extension, withCharset(type.toString()));
            }
        });
        return Map.copyOf(types);
    }

    private static String withCharset(String type) {
        return type.startsWith("text/") ? type + "; charset=utf-8" : type;
    }

    /** Returns the value of {@code Content-Type} for a file name. */
    static String of(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return name.indexOf('.') < 0 ? UNKNOWN : BY_EXTENSION.getOrDefault(extension, UNKNOWN);
    }
}
