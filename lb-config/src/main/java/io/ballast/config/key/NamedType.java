package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A mapping from names that the user chooses to values of one type, in the order of the file.
 *
 * @param name the pattern that a whole name must match
 * @param expected a description of the pattern for messages
 */
public record NamedType<T>(Type<T> type, String name, String expected) implements Type<Map<String, T>> {

    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}";

    /** Creates a mapping whose names use the default name syntax. */
    public NamedType(Type<T> type) {
        this(type, NAME, "letters, digits, '_', '.' and '-', at most 64");
    }

    @Override
    public Optional<Map<String, T>> read(Node node, ReadContext reading) {
        if (!(node instanceof Node.Mapping mapping)) {
            reading.mismatch(node, "a mapping from names to " + type.label());
            return Optional.empty();
        }
        Map<String, T> values = new LinkedHashMap<>();
        Pattern pattern = Pattern.compile(name);
        mapping.entries().forEach((key, entry) -> {
            boolean valid = pattern.matcher(key).matches();
            if (!valid) {
                reading.error(mapping, entry, "name '" + key + "' (expected: " + expected + ")");
            }
            type.read(entry.value(), reading).filter(value -> valid).ifPresent(value -> values.put(key, value));
        });
        return values.isEmpty() && !mapping.entries().isEmpty() ? Optional.empty() : Optional.of(values);
    }

    @Override
    public Object print(Map<String, T> values) {
        Map<String, Object> printed = new LinkedHashMap<>();
        values.forEach((key, value) -> printed.put(key, type.print(value)));
        return printed;
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("propertyNames", Map.of("pattern", "^" + name + "$"));
        schema.put("additionalProperties", type.schema());
        return schema;
    }

    @Override
    public String label() {
        return "mapping from names to " + type.label();
    }

    @Override
    public List<Shape<?>> shapes() {
        return type.shapes();
    }
}
