package io.ballast.config.key;

import java.util.List;
import java.util.Map;

/**
 * A type with the syntax, schema and reference documentation of another type, but with a different value or
 * meaning.
 */
public interface DerivedType<S, T> extends Type<T> {

    /** The underlying type. */
    Type<S> source();

    @Override
    default Map<String, Object> schema() {
        return source().schema();
    }

    @Override
    default String label() {
        return source().label();
    }

    @Override
    default List<Shape<?>> shapes() {
        return source().shapes();
    }
}
