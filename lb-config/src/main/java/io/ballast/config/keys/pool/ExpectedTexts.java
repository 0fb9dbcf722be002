package io.ballast.config.keys.pool;

import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.config.yaml.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The expected response of a check: one or more texts. Their meaning depends on the type of the check.
 *
 * @param texts the texts as written in the file
 * @param nodes the location of each text; empty unless they were read from a file
 */
record ExpectedTexts(List<String> texts, List<Node> nodes) {

    private static final String LABEL = "text, status or status range, or a list of them";

    static final Type<ExpectedTexts> TYPE = new Type<>() {

        @Override
        public Optional<ExpectedTexts> read(Node node, ReadContext reading) {
            List<Node> items = node instanceof Node.Sequence sequence ? sequence.items() : List.of(node);
            if (items.isEmpty()) {
                reading.mismatch(node, "at least one item");
                return Optional.empty();
            }
            List<String> texts = items.stream()
                    .flatMap(item -> Scalars.TEXT.read(item, reading).stream())
                    .toList();
            return texts.size() < items.size() ? Optional.empty() : Optional.of(new ExpectedTexts(texts, items));
        }

        @Override
        public Object print(ExpectedTexts value) {
            return value.texts.size() == 1 ? value.texts.get(0) : value.texts;
        }

        @Override
        public Map<String, Object> schema() {
            return OneOrMore.of(Scalars.TEXT, "text").schema();
        }

        @Override
        public String label() {
            return LABEL;
        }
    };

    static ExpectedTexts of(List<String> texts) {
        return new ExpectedTexts(texts, List.of());
    }

    /** Reads all texts as values of a type. Invalid texts are reported and omitted. */
    <T> List<T> readAll(Type<T> type, ReadContext reading) {
        return nodes.stream().flatMap(node -> type.read(node, reading).stream()).toList();
    }

    /** Passes each text that was read from a file to {@code action}, with its location. */
    void each(BiConsumer<String, Node> action) {
        for (int i = 0; i < nodes.size(); i++) {
            action.accept(texts.get(i), nodes.get(i));
        }
    }

    /** Reads the text as a value of a type; more than one text is an error. */
    <T> Optional<T> readSingle(Type<T> type, ReadContext reading) {
        if (nodes.size() > 1) {
            reading.mismatch(nodes.get(1), "only one text");
        }
        return type.read(nodes.get(0), reading);
    }
}
