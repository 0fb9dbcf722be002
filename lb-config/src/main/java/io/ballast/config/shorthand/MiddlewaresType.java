package io.ballast.config.shorthand;

import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Divisor's {@code middlewares}: programs that may block, change or answer requests. This version runs none,
 * so it would serve requests that a middleware should reject. Therefore an entry is an error unless it is
 * {@code disabled}.
 */
final class MiddlewaresType implements Type<Node> {

    private static final String DISABLED = "disabled";

    @Override
    public Optional<Node> read(Node node, ReadContext reading) {
        if (node instanceof Node.Sequence sequence) {
            sequence.items().stream()
                    .filter(item -> !isDisabled(item, reading))
                    .forEach(
                            item -> reading.error(
                                    item,
                                    "middlewares are not supported, and ignoring an enabled one would change how requests are handled"
                                            + " (expected: disabled: true; policies, routes and filters in Java of the long form replace them)"));
            return Optional.of(node);
        }
        if (node instanceof Node.Scalar scalar && scalar.isNull()) {
            return Optional.of(node);
        }
        reading.mismatch(node, "a list");
        return Optional.empty();
    }

    private static boolean isDisabled(Node item, ReadContext reading) {
        return item instanceof Node.Mapping middleware
                && middleware
                        .entry(DISABLED)
                        .flatMap(entry -> Scalars.BOOLEAN.read(entry.value(), reading))
                        .orElse(false);
    }

    @Override
    public Object print(Node value) {
        throw new UnsupportedOperationException("middlewares are not printed");
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("type", "object");
        item.put("properties", Map.of(DISABLED, Scalars.BOOLEAN.schema()));
        item.put("required", List.of(DISABLED));
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", List.of("array", "null"));
        schema.put("items", item);
        return schema;
    }

    @Override
    public String label() {
        return "list of disabled middlewares";
    }
}
