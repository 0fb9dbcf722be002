package io.ballast.server.config.key;

import io.ballast.server.config.yaml.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A type whose values remember their place. */
record LocatedType<T>(Type<T> type) implements Type<Located<T>> {

    @Override
    public Optional<Located<T>> read(Node node, Reading reading) {
        return type.read(node, reading).map(value -> new Located<>(value, node));
    }

    @Override
    public Object print(Located<T> value) {
        return type.print(value.value());
    }

    @Override
    public Map<String, Object> schema() {
        return type.schema();
    }

    @Override
    public String label() {
        return type.label();
    }

    @Override
    public List<Shape<?>> shapes() {
        return type.shapes();
    }
}
