package io.ballast.config.keys.common;

import io.ballast.config.key.SecretType;
import io.ballast.config.key.Suggestion;
import io.ballast.config.key.Type;
import io.ballast.core.Checks;
import io.ballast.core.config.header.HeaderValue;
import io.ballast.core.config.header.HeaderVariable;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Header values, which may contain variables. */
final class HeaderValues {

    private static final String NAMES = String.join(", ", HeaderVariable.names());

    /**
     * A text in which {@code $name} is a variable. The text may be a password, so messages show only its
     * variables.
     */
    static final Type<HeaderValue> VALUE = new SecretType<>(
            "text with variables",
            "text that can contain variables such as $remote_addr",
            Pattern.compile("[\\s\\S]*"),
            HeaderValues::parse,
            HeaderValue::text,
            Map.of("type", List.of("string", "number", "boolean")));

    private HeaderValues() {}

    private static HeaderValue parse(String text) {
        for (String name : HeaderValue.namesIn(text)) {
            Checks.that(
                    HeaderVariable.named(name).isPresent(),
                    "variable",
                    "$" + name,
                    NAMES + suggestion(name) + "; write $$ for a dollar sign");
        }
        return HeaderValue.parse(text);
    }

    private static String suggestion(String name) {
        return Suggestion.didYouMean("$" + name, HeaderVariable.names());
    }
}
