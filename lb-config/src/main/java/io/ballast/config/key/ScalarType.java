package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A value that is written as one string.
 *
 * @param label the name of the type in the reference documentation
 * @param expected the expected form, for error messages
 * @param parse converts a text to a value; throws {@link IllegalArgumentException} if the text is invalid
 * @param print converts a value to the text, number or boolean that is parsed back to it
 * @param schema the JSON Schema for editors
 */
public record ScalarType<T>(
        String label, String expected, Function<String, T> parse, Function<T, Object> print, Map<String, Object> schema)
        implements Type<T> {

    @Override
    public Optional<T> read(Node node, ReadContext reading) {
        if (node instanceof Node.Scalar scalar && !scalar.isNull()) {
            return reading.attempt(node, () -> parse.apply(scalar.text()));
        }
        reading.mismatch(node, expected);
        return Optional.empty();
    }

    @Override
    public Object print(T value) {
        return print.apply(value);
    }
}
