package io.ballast.core.config.header;

import io.ballast.core.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A header's value: fixed text, and variables that are replaced for each exchange.
 *
 * @param text the value as written. {@code $name} stands for a variable and {@code $$} for a dollar sign. A
 *     dollar sign before a character that cannot start a name is literal
 * @param parts the parsed value
 */
public record HeaderValue(String text, List<Part> parts) {

    /**
     * A valid value: it has no control characters, and spaces only between other characters
     * (RFC 9110 section 5.5, which also allows tabs).
     */
    private static final Pattern ALLOWED =
            Pattern.compile("[^\\x00-\\x20\\x7f-\\x9f]([^\\x00-\\x1f\\x7f-\\x9f]*[^\\x00-\\x20\\x7f-\\x9f])?");

    private static final Pattern DOLLAR = Pattern.compile("\\$(\\$|(?<name>[A-Za-z_][A-Za-z0-9_]*))");

    public HeaderValue {
        parts = List.copyOf(parts);
    }

    /** A piece of a value. */
    public sealed interface Part {}

    /** Text that is always the same. */
    public record Literal(String text) implements Part {}

    /** A variable that is replaced for each exchange. */
    public record Variable(HeaderVariable variable) implements Part {}

    /**
     * Parses a text. The text may contain a password, so error messages do not show it.
     *
     * @throws IllegalArgumentException for a character that a header cannot contain, and for an unknown variable
     */
    public static HeaderValue parse(String text) {
        Checks.that(
                ALLOWED.matcher(text).matches(),
                "value",
                text.length() + " characters",
                "text without control characters and without leading or trailing spaces");
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        Matcher dollar = DOLLAR.matcher(text);
        while (dollar.find()) {
            dollar.appendReplacement(literal, "");
            String name = dollar.group("name");
            if (name == null) {
                literal.append('$');
                continue;
            }
            HeaderVariable variable = HeaderVariable.named(name)
                    .orElseThrow(() -> new IllegalArgumentException("variable: $" + name + " (expected: one of "
                            + String.join(", ", HeaderVariable.names()) + "; $$ for a literal $)"));
            flush(literal, parts);
            parts.add(new Variable(variable));
        }
        dollar.appendTail(literal);
        flush(literal, parts);
        return new HeaderValue(text, parts);
    }

    /** Returns the names that follow dollar signs in a text, including unknown names. */
    public static List<String> namesIn(String text) {
        return DOLLAR.matcher(text)
                .results()
                .map(match -> match.group(1))
                .filter(name -> !name.equals("$"))
                .toList();
    }

    private static void flush(StringBuilder literal, List<Part> parts) {
        if (!literal.isEmpty()) {
            parts.add(new Literal(literal.toString()));
            literal.setLength(0);
        }
    }
}
