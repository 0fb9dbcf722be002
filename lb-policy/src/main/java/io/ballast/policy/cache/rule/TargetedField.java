package io.ballast.policy.cache.rule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses a targeted cache control field, such as {@code CDN-Cache-Control} (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9213">RFC 9213</a>). The field is a dictionary of structured fields
 * (RFC 9651 section 3.2). A field with a syntax error is ignored as a whole; of a valid field, only members of an
 * unexpected type are ignored.
 */
final class TargetedField {

    private static final String KEY_REST = "_-.*";
    private static final int MAX_DIGITS = 15;

    private final String text;
    private final CacheDirectives.Builder directives = new CacheDirectives.Builder();
    private int at;

    private TargetedField(String text) {
        this.text = text;
    }

    /** Returns the directives; null if the field is missing or malformed, or contains no known directive. */
    static @Nullable CacheDirectives parse(List<String> values) {
        String joined = String.join(",", values);
        TargetedField field = new TargetedField(ListElements.trim(joined));
        CacheDirectives found = field.parseMembers() ? field.directives.build() : CacheDirectives.NONE;
        return found.isEmpty() ? null : found;
    }

    private boolean parseMembers() {
        boolean more = at < text.length();
        boolean any = more;
        while (more) {
            if (!parseMember()) {
                return false;
            }
            skipBlanks();
            more = at < text.length();
            if (more) {
                if (text.charAt(at++) != ',') {
                    return false;
                }
                skipBlanks();
                if (at == text.length()) {
                    return false; // a comma must not end the list
                }
            }
        }
        return any;
    }

    private boolean parseMember() {
        String key = parseKey();
        if (key.isEmpty()) {
            return false;
        }
        CacheDirective directive = CacheDirective.of(key);
        if (!takes('=')) {
            if (directive != null && !directive.hasSeconds()) {
                directives.add(directive);
            }
            return skipParameters();
        }
        int from = at;
        if (!skipItem()) {
            return false;
        }
        if (directive != null) {
            addValue(directive, text.substring(from, at));
        }
        return skipParameters();
    }

    private void addValue(CacheDirective directive, String value) {
        boolean isInteger = value.matches("-?[0-9]+");
        if (directive.hasSeconds() && isInteger) {
            long seconds = Long.parseLong(value);
            directives.setSeconds(directive, (int) Math.max(0, Math.min(seconds, CacheDirectives.MAX_SECONDS)));
        } else if (!directive.hasSeconds() && "?1".equals(value)) {
            directives.add(directive);
        }
    }

    private String parseKey() {
        int from = at;
        while (at < text.length() && isKeyCharacter(text.charAt(at), at == from)) {
            at++;
        }
        return text.substring(from, at);
    }

    private static boolean isKeyCharacter(char c, boolean first) {
        boolean letter = c >= 'a' && c <= 'z';
        return first ? letter || c == '*' : letter || isDigit(c) || KEY_REST.indexOf(c) >= 0;
    }

    private boolean skipParameters() {
        while (takes(';')) {
            skipBlanks();
            if (parseKey().isEmpty() || (takes('=') && !skipItem())) {
                return false;
            }
        }
        return true;
    }

    /** Skips a number, boolean, token or string. Other items are not valid in a cache directive. */
    private boolean skipItem() {
        if (at == text.length()) {
            return false;
        }
        char first = text.charAt(at);
        if (first == '"') {
            return skipString();
        }
        if (first == '?') {
            at += 2;
            return at <= text.length() && (text.charAt(at - 1) == '0' || text.charAt(at - 1) == '1');
        }
        int from = at;
        while (at < text.length() && isItemCharacter(text.charAt(at))) {
            at++;
        }
        boolean number = first == '-' || isDigit(first);
        return at > from && (!number || isNumber(text.substring(from, at)));
    }

    private static boolean isNumber(String item) {
        return item.length() <= MAX_DIGITS + 1 && item.matches("-?[0-9]{1,15}|-?[0-9]{1,12}\\.[0-9]{1,3}");
    }

    private boolean skipString() {
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '"') {
                at++;
                return true;
            }
        }
        return false;
    }

    private static boolean isItemCharacter(char c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || "!#$%&'*+-.^_`|~:/".indexOf(c) >= 0;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private boolean takes(char c) {
        boolean found = at < text.length() && text.charAt(at) == c;
        at += found ? 1 : 0;
        return found;
    }

    private void skipBlanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }
}
