package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.Map;
import java.util.Optional;

/**
 * A key of another balancer that has no meaning here. Any value is accepted with a warning.
 *
 * @param reason completes the warning, for example {@code this version does not run middlewares}
 */
record IgnoredType(String reason) implements Type<Node> {

    @Override
    public Optional<Node> read(Node node, ReadContext reading) {
        reading.warning(node, "ignored: " + reason);
        return Optional.of(node);
    }

    @Override
    public Object print(Node value) {
        throw new UnsupportedOperationException("an ignored value is not printed");
    }

    @Override
    public Map<String, Object> schema() {
        return Map.of();
    }

    @Override
    public String label() {
        return "anything";
    }
}
