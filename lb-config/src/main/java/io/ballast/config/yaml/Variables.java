package io.ballast.config.yaml;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces {@code ${NAME}} and {@code ${NAME:-default}} in a text; {@code $$} is one dollar sign, and a dollar sign
 * before other characters is literal. As in a shell, the default also replaces a variable that is set but empty.
 */
public final class Variables {

    private static final Pattern TOKEN = Pattern.compile(
            "\\$(?:\\$|\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)(?::-(?<default>[^}]*))?}|(?<broken>\\{[^}]*}?))");

    private final Function<String, @Nullable String> environment;

    /**
     * Creates an object that looks up variables with {@code environment}, which returns null for an unset name.
     */
    public Variables(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    /**
     * Returns the text with every variable replaced.
     *
     * @throws IllegalArgumentException if a variable is neither set nor has a default, or is misspelt; the message is
     *     meant for the user
     */
    public String expand(String text) {
        if (text.indexOf('$') < 0) {
            return text;
        }
        Matcher matcher = TOKEN.matcher(text);
        StringBuilder expanded = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(valueOf(matcher)));
        }
        return matcher.appendTail(expanded).toString();
    }

    /** Escapes {@code text} so that {@link #expand} returns it unchanged. */
    public static String escape(String text) {
        return text.replace("$", "$$");
    }

    private String valueOf(Matcher token) {
        if (token.group("broken") != null) {
            throw new IllegalArgumentException(
                    "'" + token.group()
                            + "' is not a valid variable reference (expected: ${NAME} or ${NAME:-default}; $$ for a literal $)");
        }
        String name = token.group("name");
        if (name == null) {
            return "$";
        }
        String value = environment.apply(name);
        String fallback = token.group("default");
        if (value == null && fallback == null) {
            throw new IllegalArgumentException("the environment variable " + name
                    + " is not set; set it, or give a default (${" + name + ":-default})");
        }
        return value == null || (value.isEmpty() && fallback != null) ? String.valueOf(fallback) : value;
    }
}
