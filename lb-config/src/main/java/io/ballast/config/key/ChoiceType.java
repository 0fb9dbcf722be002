package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A choice among a few words. If several words have the same meaning, the first one is the canonical word.
 */
public final class ChoiceType<T> implements Type<T> {

    private final Map<String, T> words;
    private final Function<T, Object> print;
    private final Map<String, Object> schema;

    ChoiceType(Map<String, T> words, Function<T, Object> print) {
        this(words, print, JsonSchema.orVariable(Map.of("enum", List.copyOf(words.keySet()))));
    }

    private ChoiceType(Map<String, T> words, Function<T, Object> print, Map<String, Object> schema) {
        this.words = words;
        this.print = print;
        this.schema = schema;
    }

    /** Returns the same choice with the schema {@code other}. */
    ChoiceType<T> schema(Map<String, Object> other) {
        return new ChoiceType<>(words, print, other);
    }

    @Override
    public Optional<T> read(Node node, ReadContext reading) {
        String word = node instanceof Node.Scalar scalar ? scalar.text() : "";
        T value = words.get(word);
        if (value == null) {
            reading.mismatch(
                    node,
                    String.join(", ", names())
                            + Synonyms.value(word)
                                    .filter(words::containsKey)
                                    .or(() -> Suggestion.nearest(word, words.keySet()))
                                    .map(nearest -> "; did you mean '" + nearest + "'?")
                                    .orElse(""));
        }
        return Optional.ofNullable(value);
    }

    @Override
    public Object print(T value) {
        return print.apply(value);
    }

    @Override
    public Map<String, Object> schema() {
        return schema;
    }

    @Override
    public String label() {
        return String.join(", ", names());
    }

    /** Returns the canonical word for each value. */
    private List<String> names() {
        Map<T, String> names = new LinkedHashMap<>();
        words.forEach((word, value) -> names.putIfAbsent(value, word));
        return List.copyOf(names.values());
    }
}
