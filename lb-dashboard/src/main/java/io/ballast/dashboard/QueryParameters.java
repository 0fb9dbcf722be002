package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads query parameters. */
final class QueryParameters {

    /** Maximum length of a value: a DNS name with its final dot. */
    static final int MAX_LENGTH = 254;

    /**
     * The pattern of a label without escapes: printable ASCII except characters that have a meaning in zone
     * files (dots, quotes, backslashes and {@code @}).
     */
    private static final String LABEL = "[!#-\\-/-?A-\\[\\]-~]{1,63}";

    /** A DNS name without escapes. */
    private static final Pattern DNS_NAME = Pattern.compile("(" + LABEL + "[.]){0,126}" + LABEL + "[.]?");

    private QueryParameters() {}

    /**
     * Returns a DNS name; empty if the parameter is missing. Throws {@link HttpProblem} 400 if the parameter
     * occurs several times or is not a DNS name.
     */
    static Optional<String> dnsName(Request request, String name) {
        Optional<String> text = value(request, name);
        text.filter(value -> !DNS_NAME.matcher(value).matches()).ifPresent(value -> {
            throw HttpProblem.badRequest(name + ": " + value
                    + " (expected: a DNS name with labels of 1 to 63 ASCII characters; non-ASCII labels in punycode)");
        });
        return text;
    }

    /**
     * Returns a parameter; empty if it is missing or has an empty value. Throws {@link HttpProblem} 400 if the
     * parameter occurs several times or is too long.
     */
    static Optional<String> text(Request request, String name) {
        return value(request, name).filter(text -> !text.isEmpty());
    }

    /** Like {@link #text}, but returns an empty string, not an empty optional, for an empty value. */
    static Optional<String> value(Request request, String name) {
        List<String> values = request.query().getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw HttpProblem.badRequest(name + ": " + values.size() + " values (expected: one)");
        }
        Optional<String> value = values.stream().findFirst();
        value.filter(text -> text.length() > MAX_LENGTH).ifPresent(text -> {
            throw HttpProblem.badRequest(
                    name + ": " + text.length() + " characters (expected: at most " + MAX_LENGTH + ")");
        });
        return value;
    }

    /** Returns a number; throws {@link HttpProblem} 400 if it is malformed or out of bounds. */
    static int number(Request request, String name, int otherwise, int min, int max) {
        Optional<String> text = value(request, name);
        try {
            return text.isEmpty() ? otherwise : Checks.between(Integer.parseInt(text.get()), min, max, name);
        } catch (NumberFormatException e) {
            throw HttpProblem.badRequest(name + ": " + text.get() + " (expected: a number)");
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
    }
}
