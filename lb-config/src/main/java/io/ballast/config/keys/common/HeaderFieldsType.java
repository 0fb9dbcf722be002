package io.ballast.config.keys.common;

import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import io.ballast.core.ErrorText;
import io.ballast.core.config.header.HeaderField;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A mapping from names of headers to their values, in the order of the file. */
public enum HeaderFieldsType implements Type<List<HeaderField>> {
    FIELDS;

    private static final String LABEL = "mapping from header names to text with variables";

    @Override
    public Optional<List<HeaderField>> read(Node node, ReadContext reading) {
        if (!(node instanceof Node.Mapping mapping)) {
            reading.mismatch(node, "a " + LABEL);
            return Optional.empty();
        }
        List<HeaderField> fields = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        mapping.entries().forEach((name, entry) -> {
            boolean valid = isChangeable(name, mapping, entry, reading);
            if (valid && !seen.add(name.toLowerCase(Locale.ROOT))) {
                reading.error(mapping, entry, "duplicate header '" + name + "'; header names are case-insensitive");
            }
            HeaderValues.VALUE
                    .read(entry.value(), reading)
                    .filter(value -> valid)
                    .ifPresent(value -> fields.add(new HeaderField(name, value)));
        });
        return fields.size() < mapping.entries().size() ? Optional.empty() : Optional.of(fields);
    }

    private static boolean isChangeable(String name, Node.Mapping mapping, Node.Entry entry, ReadContext reading) {
        try {
            HeaderNames.changeable(name);
            return true;
        } catch (IllegalArgumentException e) {
            String message = ErrorText.of(e);
            reading.error(mapping, entry, "header '" + name + "' " + message.substring(message.indexOf("(expected: ")));
            return false;
        }
    }

    @Override
    public Object print(List<HeaderField> fields) {
        Map<String, Object> printed = new LinkedHashMap<>();
        fields.forEach(field -> printed.put(field.name(), HeaderValues.VALUE.print(field.value())));
        return printed;
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("additionalProperties", HeaderValues.VALUE.schema());
        return schema;
    }

    @Override
    public String label() {
        return LABEL;
    }
}
