package io.ballast.server.config.key;

import io.ballast.server.config.yaml.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A mapping from names that the user chooses to values of one type, in the order of the file. */
public record NamedType<T>(Type<T> type) implements Type<Map<String, T>> {

    private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}";
    private static final Pattern NAME_PATTERN = Pattern.compile(NAME);

    @Override
    public Optional<Map<String, T>> read(Node node, Reading reading) {
        if (!(node instanceof Node.Mapping mapping)) {
            reading.mismatch(node, "a mapping from names to " + type.label());
            return Optional.empty();
        }
        Map<String, T> values = new LinkedHashMap<>();
        mapping.entries().forEach((name, entry) -> {
            boolean valid = NAME_PATTERN.matcher(name).matches();
            if (!valid) {
                reading.error(
                        mapping,
                        entry,
                        "name '" + name + "' (expected: letters, digits, '_', '.' and '-', at most 64)");
            }
            type.read(entry.value(), reading).filter(value -> valid).ifPresent(value -> values.put(name, value));
        });
        return values.isEmpty() && !mapping.entries().isEmpty() ? Optional.empty() : Optional.of(values);
    }

    @Override
    public Object print(Map<String, T> values) {
        Map<String, Object> printed = new LinkedHashMap<>();
        values.forEach((name, value) -> printed.put(name, type.print(value)));
        return printed;
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("propertyNames", Map.of("pattern", "^" + NAME + "$"));
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
