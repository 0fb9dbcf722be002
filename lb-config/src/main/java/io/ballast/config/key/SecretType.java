package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * A secret value written as text. Messages never show the text, not even if it is invalid, because a user may
 * write a secret where its hash is expected.
 *
 * @param label name of the type in the reference
 * @param expected the expected form in messages
 * @param pattern a regular expression that valid texts match
 * @param parse converts a text to a value; throws {@link IllegalArgumentException} without the text if it is invalid
 * @param print converts a value to text
 * @param schema schema for editors
 */
public record SecretType<T>(
        String label,
        String expected,
        Pattern pattern,
        Function<String, T> parse,
        Function<T, String> print,
        Map<String, Object> schema)
        implements Type<T> {

    /**
     * A secret in which a literal dollar sign may be written as two dollar signs, as in other configuration
     * values.
     */
    public static <T> SecretType<T> of(
            String label, String expected, String pattern, Function<String, T> parse, Function<T, String> print) {
        String written = pattern.replace("\\$", "\\$\\$?");
        return new SecretType<>(
                label,
                expected,
                Pattern.compile(pattern),
                parse,
                print,
                JsonSchema.orNumber(JsonSchema.textOrVariable(written)));
    }

    @Override
    public Optional<T> read(Node node, ReadContext reading) {
        if (!(node instanceof Node.Scalar scalar) || scalar.isNull()) {
            reading.mismatch(node, expected);
            return Optional.empty();
        }
        String text = scalar.text();
        try {
            Checks.that(pattern.matcher(text).matches(), label, text.length() + " characters", expected);
            return Optional.of(parse.apply(text));
        } catch (IllegalArgumentException e) {
            reading.error(node, ErrorText.of(e));
            return Optional.empty();
        }
    }

    @Override
    public Object print(T value) {
        return print.apply(value);
    }
}
