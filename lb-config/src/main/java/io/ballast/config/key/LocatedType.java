package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.Optional;

/** A type whose values include their location in the file. */
record LocatedType<T>(Type<T> source) implements DerivedType<T, Located<T>> {

    @Override
    public Optional<Located<T>> read(Node node, ReadContext reading) {
        return source.read(node, reading).map(value -> new Located<>(value, node));
    }

    @Override
    public Object print(Located<T> value) {
        return source.print(value.value());
    }
}
