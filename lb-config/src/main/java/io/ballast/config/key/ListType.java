package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A list of values of one type. Items that cannot be read are omitted, so that the remaining items are still
 * checked.
 *
 * @param minItems minimum number of items
 * @param identity value that must be unique among the items
 * @param identityLabel the word for the identity in messages; empty if duplicates are allowed
 */
public record ListType<T>(Type<T> item, int minItems, Function<T, Object> identity, String identityLabel)
        implements Type<List<T>> {

    /** A list with any number of items, including none. */
    public static <T> ListType<T> of(Type<T> item) {
        return new ListType<>(item, 0, value -> value, "");
    }

    /** A list with at least one item. */
    public static <T> ListType<T> atLeastOne(Type<T> item) {
        return new ListType<>(item, 1, value -> value, "");
    }

    /** Returns a type for lists whose items have unique identities. */
    public ListType<T> unique(String label, Function<T, Object> by) {
        return new ListType<>(item, minItems, by, label);
    }

    @Override
    public Optional<List<T>> read(Node node, ReadContext reading) {
        if (!(node instanceof Node.Sequence sequence)) {
            reading.mismatch(node, "a list");
            return Optional.empty();
        }
        if (sequence.items().size() < minItems) {
            reading.mismatch(node, "at least one item");
            return Optional.empty();
        }
        List<T> values = new ArrayList<>();
        Map<Object, Node> seen = new HashMap<>();
        for (Node itemNode : sequence.items()) {
            Optional<T> value = item.read(itemNode, reading);
            if (value.isPresent() && isNew(value.get(), itemNode, seen, reading)) {
                values.add(value.get());
            }
        }
        return values.isEmpty() && !sequence.items().isEmpty() ? Optional.empty() : Optional.of(values);
    }

    private boolean isNew(T value, Node node, Map<Object, Node> seen, ReadContext reading) {
        if (identityLabel.isEmpty()) {
            return true;
        }
        Object id = identity.apply(value);
        Node first = seen.putIfAbsent(id, node);
        if (first != null) {
            reading.error(node, "duplicate " + identityLabel + " '" + id + "' (first at " + first.place() + ")");
        }
        return first == null;
    }

    @Override
    public Object print(List<T> values) {
        return values.stream().map(item::print).toList();
    }

    @Override
    public Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "array");
        if (minItems > 0) {
            schema.put("minItems", minItems);
        }
        schema.put("items", item.schema());
        return schema;
    }

    @Override
    public String label() {
        return "list of " + item.label();
    }

    @Override
    public List<Shape<?>> shapes() {
        return item.shapes();
    }
}
