package io.ballast.dns.zonefile;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A position in a zone file.
 *
 * @param file the file as the user or the include directive named it
 * @param line the line, from 1
 * @param column the column, from 1, in characters
 * @param includedAt position of the include directive; null for the file of the zone itself
 */
public record ZoneFilePosition(
        Path file, int line, int column, @Nullable ZoneFilePosition includedAt) {

    /** Returns the position of the first character of a zone file. */
    public static ZoneFilePosition startOf(Path file) {
        return new ZoneFilePosition(file, 1, 1, null);
    }

    /** The locations of the include directives that lead to this file, the nearest first; empty for the main file. */
    public String inclusions() {
        if (includedAt == null) {
            return "";
        }
        StringBuilder text = new StringBuilder(" (included at ").append(includedAt);
        for (ZoneFilePosition at = includedAt.includedAt; at != null; at = at.includedAt) {
            text.append(", included at ").append(at);
        }
        return text.append(')').toString();
    }

    /** Prints {@code file:line:column}. */
    @Override
    public String toString() {
        return file + ":" + line + ":" + column;
    }
}
