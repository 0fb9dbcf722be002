package io.ballast.cli.terminal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Sanitizes text for a terminal: check results may quote text from backends that contains control sequences. */
public final class TerminalText {

    /** Uses Unicode categories, because a terminal also obeys the control characters from U+0080 to U+009F. */
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}]");

    private TerminalText() {}

    /** Returns the text with each character that could control a terminal replaced by a question mark. */
    public static String sanitize(String text) {
        return CONTROLS.matcher(text).replaceAll("?");
    }

    /** Returns a JSON object whose texts and field names contain no control characters. */
    public static Map<String, Object> sanitizeObject(Map<?, ?> object) {
        Map<String, Object> plain = new LinkedHashMap<>();
        object.forEach((name, value) -> plain.put(sanitize(name.toString()), sanitizeValue(value)));
        return plain;
    }

    private static Object sanitizeValue(Object value) {
        if (value instanceof Map<?, ?> object) {
            return sanitizeObject(object);
        }
        if (value instanceof List<?> items) {
            return items.stream().map(TerminalText::sanitizeValue).toList();
        }
        return value instanceof String text ? sanitize(text) : value;
    }
}
