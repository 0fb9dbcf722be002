package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.Map;
import java.util.Optional;

/** A mapping with arbitrary keys. This type does not check them, because they are read after the mapping is merged. */
public record AnyMappingType() implements Type<Node.Mapping> {

    private static final String EXPECTED = "a mapping with keys of the configuration";

    @Override
    public Optional<Node.Mapping> read(Node node, ReadContext reading) {
        if (node instanceof Node.Mapping mapping) {
            return Optional.of(mapping);
        }
        reading.mismatch(node, EXPECTED);
        return Optional.empty();
    }

    @Override
    public Object print(Node.Mapping value) {
        throw new UnsupportedOperationException("this type has no printed form");
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of("type", "object");
    }

    @Override
    public String label() {
        return "mapping";
    }
}
