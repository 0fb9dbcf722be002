package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.Optional;

/**
 * A value that must be unique in the whole configuration among values of its kind.
 *
 * @param kind the word for such a value in messages
 */
public record UniqueType<T>(Type<T> source, String kind) implements DerivedType<T, T> {

    @Override
    public Optional<T> read(Node node, ReadContext reading) {
        return source.read(node, reading).filter(value -> reading.isFirst(kind, value, node));
    }

    @Override
    public Object print(T value) {
        return source.print(value);
    }
}
