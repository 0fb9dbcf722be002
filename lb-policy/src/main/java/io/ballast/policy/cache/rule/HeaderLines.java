package io.ballast.policy.cache.rule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The header lines of a message, in order. Characters are bytes (ISO 8859-1). Immutable.
 *
 * @param lines the lines
 */
public record HeaderLines(List<Line> lines) {

    /** Contains no lines. */
    public static final HeaderLines NONE = new HeaderLines(List.of());

    /**
     * A header line.
     *
     * @param name the name as received
     * @param value the value without surrounding blanks
     */
    public record Line(String name, String value) {

        /** Whether the line has this name, in any case. */
        public boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }
    }

    public HeaderLines {
        lines = List.copyOf(lines);
    }

    /** Returns the values of all lines with this name, in any case. */
    public List<String> values(String name) {
        return lines.stream().filter(line -> line.is(name)).map(Line::value).toList();
    }

    /** Returns the value of the first line with this name; null if there is none. */
    public @Nullable String first(String name) {
        for (Line line : lines) {
            if (line.is(name)) {
                return line.value();
            }
        }
        return null;
    }

    public boolean has(String name) {
        return first(name) != null;
    }
}
