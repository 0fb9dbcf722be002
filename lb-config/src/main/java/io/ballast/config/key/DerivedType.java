package io.ballast.config.key;

import java.util.List;
import java.util.Map;

/** A type that looks like another in files, schema and reference, and is read otherwise or means something else. */
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
