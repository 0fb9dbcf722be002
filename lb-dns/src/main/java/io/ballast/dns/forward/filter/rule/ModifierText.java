package io.ballast.dns.forward.filter.rule;

import java.util.ArrayList;
import java.util.List;

/** Splits the modifiers of a rule. A separator inside quotes or after a backslash is part of the text. */
final class ModifierText {

    private ModifierText() {}

    /** Returns the parts between the separators; the parts keep their quotes and backslashes. */
    static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if ((c == '\'' || c == '"') && isValueStart(text, i)) {
                quote = c;
            } else if (c == separator) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    private static boolean isValueStart(String text, int at) {
        return at == 0 || "=|~".indexOf(text.charAt(at - 1)) >= 0;
    }

    /** Returns the text without its enclosing quotes and without backslashes. */
    static String unquote(String text) {
        int length = text.length();
        char first = length < 2 ? 0 : text.charAt(0);
        boolean isQuoted = (first == '\'' || first == '"') && text.charAt(length - 1) == first;
        StringBuilder plain = new StringBuilder();
        int end = isQuoted ? length - 1 : length;
        for (int i = isQuoted ? 1 : 0; i < end; i++) {
            if (text.charAt(i) == '\\' && i + 1 < end) {
                i++;
            }
            plain.append(text.charAt(i));
        }
        return plain.toString();
    }
}
