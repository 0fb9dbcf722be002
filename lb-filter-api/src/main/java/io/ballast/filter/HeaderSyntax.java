package io.ballast.filter;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the names and values of headers that a filter changes. */
final class HeaderSyntax {

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}");
    private static final Pattern TEXT = Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*");
    private static final int SHOWN = 80;
    private static final Set<String> FIXED = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "trailer",
            "expect",
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "upgrade",
            "x-forwarded-for",
            "x-forwarded-proto",
            "x-forwarded-host",
            "x-forwarded-port",
            "forwarded",
            "via",
            "date");

    private HeaderSyntax() {}

    /** Returns the name of a header that may be changed. */
    static String name(String name) {
        if (!TOKEN.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "header: '" + shown(name) + "' (expected: 1 to 128 letters, digits and characters such as '-')");
        }
        if (FIXED.contains(name.toLowerCase(Locale.ROOT).replace('_', '-'))) {
            throw new IllegalArgumentException("header: '" + name + "' (expected: a header that a filter may change)");
        }
        return name;
    }

    /** Returns a value that cannot end its line, without surrounding blanks. */
    static String value(String value) {
        if (!TEXT.matcher(value).matches()) {
            throw new IllegalArgumentException("header value: " + value.length()
                    + " characters (expected: printable characters up to U+00FF, spaces and tabs)");
        }
        return value.strip();
    }

    private static String shown(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
