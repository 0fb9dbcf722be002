package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One value written as a text that no message ever shows, whatever was written: a secret may stand where its hash should.
 *
 * @param label names the type in the reference
 * @param expected what a message says is expected there
 * @param pattern what a text must look like
 * @param parse what such a text means; refuses one by {@link IllegalArgumentException}, without showing it
 * @param print the text that is parsed back to the value
 * @param schema for editors
 */
public record SecretType<T>(
        String label,
        String expected,
        Pattern pattern,
        Function<String, T> parse,
        Function<T, String> print,
        Map<String, Object> schema)
        implements Type<T> {

    /** One whose dollars may be written twice, as those of any text. */
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
