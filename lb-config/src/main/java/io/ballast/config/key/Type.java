package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The syntax and the meaning of a value in a file. Immutable. */
public interface Type<T> {

    /** Returns the value of the node; returns empty after reporting every problem in it. */
    Optional<T> read(Node node, ReadContext reading);

    /** Returns the value as plain maps, lists, texts, numbers and booleans; reading them gives an equal value. */
    Object print(T value);

    /** Returns the JSON Schema of the values in a file. */
    Map<String, Object> schema();

    /** Returns the name of the type in the configuration reference, for example {@code duration}. */
    String label();

    /**
     * Returns the shapes that this type uses; the reference documentation and the JSON Schema describe them
     * too.
     */
    default List<Shape<?>> shapes() {
        return List.of();
    }

    /**
     * Returns a type with the same syntax whose values are converted by {@code to}. If {@code to} throws an
     * {@link IllegalArgumentException}, the type reports a problem.
     */
    default <R> Type<R> map(Function<T, R> to, Function<R, T> from) {
        return new MappedType<>(this, to, from);
    }

    /** Returns a type with the same syntax whose values include their location in the file. */
    default Type<Located<T>> located() {
        return new LocatedType<>(this);
    }
}
