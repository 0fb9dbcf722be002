package io.ballast.server.config.key;

import io.ballast.server.config.yaml.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value that may stand once in the whole configuration among those of its kind.
 *
 * @param kind what such a value is called in a message
 */
public record OnceType<T>(Type<T> type, String kind) implements Type<T> {

    @Override
    public Optional<T> read(Node node, Reading reading) {
        return type.read(node, reading).filter(value -> reading.isFirst(kind, value, node));
    }

    @Override
    public Object print(T value) {
        return type.print(value);
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
