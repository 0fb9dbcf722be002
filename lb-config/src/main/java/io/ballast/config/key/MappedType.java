package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.Optional;
import java.util.function.Function;

/** A type with the syntax of {@code source}, whose values are converted to another Java type. */
record MappedType<S, T>(Type<S> source, Function<S, T> to, Function<T, S> from) implements DerivedType<S, T> {

    @Override
    public Optional<T> read(Node node, ReadContext reading) {
        return source.read(node, reading).flatMap(value -> reading.attempt(node, () -> to.apply(value)));
    }

    @Override
    public Object print(T value) {
        return source.print(from.apply(value));
    }
}
