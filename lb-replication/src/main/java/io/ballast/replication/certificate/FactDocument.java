package io.ballast.replication.certificate;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The text of a fact: a line with a name and a value for each field, an empty line, and a body. Unknown fields are
 * ignored. Not thread-safe.
 */
final class FactDocument {

    private static final String END = "\n\n";
    private static final int MAX_FIELDS = 20;

    private final Map<String, String> fields = new LinkedHashMap<>();
    private final String body;

    FactDocument(String body) {
        this.body = body;
    }

    /** @throws IllegalArgumentException if the text has another form */
    static FactDocument parse(String text) {
        int end = text.indexOf(END);
        if (end < 0) {
            throw new IllegalArgumentException("no empty line after the fields");
        }
        FactDocument parsed = new FactDocument(text.substring(end + END.length()));
        for (String line : text.substring(0, end).split("\n", MAX_FIELDS + 1)) {
            int space = line.indexOf(' ');
            if (space <= 0 || parsed.fields.size() == MAX_FIELDS) {
                throw new IllegalArgumentException("a malformed field, or more than " + MAX_FIELDS);
            }
            parsed.fields.put(line.substring(0, space), line.substring(space + 1));
        }
        return parsed;
    }

    /** @param value contains no line break */
    FactDocument with(String name, Object value) {
        fields.put(name, value.toString());
        return this;
    }

    /** @throws IllegalArgumentException if the field is missing */
    String text(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no field " + name);
        }
        return value;
    }

    /** @throws IllegalArgumentException if the field is missing or has another form */
    Instant time(String name) {
        try {
            return Instant.parse(text(name));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("no time in the field " + name, e);
        }
    }

    String body() {
        return body;
    }

    String encode() {
        StringJoiner lines = new StringJoiner("\n");
        fields.forEach((name, value) -> lines.add(name + " " + value));
        return lines + END + body;
    }
}
