package io.ballast.config.keys.policy;

import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A mapping from names to texts, lists and nested mappings. Scalars are read as text, exactly as written. */
record FilterSettingsType() implements Type<Map<String, Object>> {

    @Override
    public Optional<Map<String, Object>> read(Node node, ReadContext reading) {
        if (node instanceof Node.Mapping mapping) {
            return Optional.of(mapping(mapping));
        }
        reading.mismatch(node, "a mapping");
        return Optional.empty();
    }

    private static Map<String, Object> mapping(Node.Mapping mapping) {
        Map<String, Object> values = new LinkedHashMap<>();
        mapping.entries().forEach((name, entry) -> values.put(name, value(entry.value())));
        return Collections.unmodifiableMap(values);
    }

    private static Object value(Node node) {
        if (node instanceof Node.Mapping mapping) {
            return mapping(mapping);
        }
        if (node instanceof Node.Sequence sequence) {
            List<Object> items = new ArrayList<>();
            sequence.items().forEach(item -> items.add(value(item)));
            return Collections.unmodifiableList(items);
        }
        return node instanceof Node.Scalar scalar && !scalar.isNull() ? scalar.text() : "";
    }

    @Override
    public Object print(Map<String, Object> value) {
        return value;
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
