package io.ballast.policy.cache.rule;

import java.util.ArrayList;
import java.util.List;

/** Splits comma-separated lists of header values (RFC 9110 section 5.6.1). */
public final class ListElements {

    private ListElements() {}

    /** Returns the elements of a list without surrounding blanks; a comma in a quoted string is not a separator. */
    public static List<String> of(String value) {
        List<String> elements = new ArrayList<>(4);
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                add(value.substring(start, i), elements);
                start = i + 1;
            }
        }
        add(value.substring(start), elements);
        return elements;
    }

    private static void add(String element, List<String> elements) {
        String trimmed = trim(element);
        if (!trimmed.isEmpty()) {
            elements.add(trimmed);
        }
    }

    /** Removes blanks and tabs at both ends. */
    static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (from < to && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    /** Returns the content of a quoted string; other texts unchanged. */
    static String unquote(String text) {
        boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
        return quoted ? text.substring(1, text.length() - 1) : text;
    }
}
