package io.ballast.replication.configuration;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * The text of a fact or a row: a line with a name and a value for each field. Unknown fields are ignored. Not
 * thread-safe.
 */
final class FactFields {

    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\u0080-\u009f]");
    private static final int MAX_FIELDS = 100;

    private final Map<String, String> fields = new LinkedHashMap<>();

    /** @throws IllegalArgumentException if there are too many fields */
    static FactFields parse(String text) {
        FactFields parsed = new FactFields();
        String[] lines = text.split("\n", MAX_FIELDS + 1);
        if (lines.length > MAX_FIELDS) {
            throw new IllegalArgumentException("more than " + MAX_FIELDS + " fields");
        }
        for (String line : lines) {
            int space = line.indexOf(' ');
            if (space > 0) {
                parsed.fields.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        return parsed;
    }

    /** Adds a field; control characters of the value become spaces. */
    FactFields with(String name, Object value) {
        fields.put(name, CONTROL.matcher(value.toString()).replaceAll(" "));
        return this;
    }

    String text(String name) {
        return fields.getOrDefault(name, "");
    }

    /** @throws IllegalArgumentException if the value is not a number */
    long number(String name) {
        String text = text(name);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    String encode() {
        StringJoiner lines = new StringJoiner("\n");
        fields.forEach((name, value) -> lines.add(name + " " + value));
        return lines.toString();
    }
}
