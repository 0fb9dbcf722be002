package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import io.ballast.core.ErrorText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A mapping with known keys, and the value that is built from it. Built by {@link ShapeBuilder}.
 *
 * <p>The value's constructor makes the final check. It may reject a key's value by an {@link
 * IllegalArgumentException} that starts with the key's name. Then the shape reports a problem at the key and
 * builds the value again without it, so that one run finds all problems.
 */
public final class Shape<R> implements Type<R> {

    /**
     * A key and the getter of its value from the built object; the getter returns empty if the key is never
     * printed.
     */
    record Slot<R, T>(Key<T> key, Function<R, Optional<T>> getter) {

        Optional<Object> print(R value) {
            return getter.apply(value).map(key.type()::print);
        }
    }

    /**
     * The time at which changed values take effect after a reload. {@code special} contains the effects of
     * individual keys. All other keys have the effect {@code general}; if it is empty, the containing object
     * determines their effect.
     */
    record ReloadEffects(Optional<ReloadEffect> general, Map<Key<?>, ReloadEffect> special) {}

    private final String name;
    private final String summary;
    private final Map<String, Slot<R, ?>> slots;
    private final List<KeyRule> rules;
    private final ReloadEffects onReload;
    private final Function<String, Optional<String>> unknownKeyHints;
    private final Function<Values, R> build;

    Shape(
            String name,
            String summary,
            Map<String, Slot<R, ?>> slots,
            List<KeyRule> rules,
            ReloadEffects onReload,
            Function<String, Optional<String>> unknownKeyHints,
            Function<Values, R> build) {
        this.name = name;
        this.summary = summary;
        this.slots = slots;
        this.rules = rules;
        this.onReload = onReload;
        this.unknownKeyHints = unknownKeyHints;
        this.build = build;
    }

    /** Creates a builder for a shape; the reference and the schema call the shape {@code name}. */
    public static <R> ShapeBuilder<R> named(String name, String summary) {
        return new ShapeBuilder<>(name, summary);
    }

    /**
     * Returns a schema that accepts the short form {@code brief} or a reference to the shape {@code name}, which
     * need not exist yet.
     */
    public static Map<String, Object> briefReference(Type<?> brief, String name) {
        return JsonSchema.anyOf(List.of(brief.schema(), JsonSchema.reference(name)));
    }

    public String name() {
        return name;
    }

    public String summary() {
        return summary;
    }

    /** Returns the keys in the order in which they are printed and explained. */
    public List<Key<?>> keys() {
        List<Key<?>> keys = new ArrayList<>();
        slots.values().forEach(slot -> keys.add(slot.key()));
        return keys;
    }

    /** Returns the rules about which keys must or must not be combined, one sentence each. */
    public List<String> rules() {
        return rules.stream().map(KeyRule::sentence).toList();
    }

    /**
     * Returns when a changed value of a key takes effect after a reload.
     *
     * @param inherited the effect of the key that holds the object
     */
    public ReloadEffect onReload(Key<?> key, ReloadEffect inherited) {
        ReloadEffect special = onReload.special().get(key);
        return special != null ? special : onReload.general().orElse(inherited);
    }

    @Override
    public Optional<R> read(Node node, ReadContext reading) {
        if (!(node instanceof Node.Mapping mapping)) {
            reading.mismatch(node, "a mapping with the keys " + String.join(", ", slots.keySet()));
            return Optional.empty();
        }
        Values values = new Values(mapping, reading);
        mapping.entries().forEach((key, entry) -> readEntry(key, entry, mapping, values));
        if (!canBuild(mapping, values)) {
            return Optional.empty();
        }
        Optional<R> built = construct(values);
        return hasAllValues(values) ? built : Optional.empty();
    }

    /** Returns whether all required keys are present; reports missing ones. */
    private boolean canBuild(Node.Mapping mapping, Values values) {
        boolean complete = true;
        for (Key<?> key : keys()) {
            if (key.isRequired() && mapping.entry(key.name()).isEmpty()) {
                values.reading().error(mapping, "missing key '" + key.name() + "'");
            }
            complete &= !key.isRequired() || values.has(key);
        }
        for (KeyRule rule : rules) {
            complete &= rule.holds(mapping, values);
        }
        return complete;
    }

    /** Returns whether all keys without a default are present. */
    private boolean hasAllValues(Values values) {
        return keys().stream()
                .allMatch(key -> !values.isInvalid(key) || key.fallback().isPresent());
    }

    private void readEntry(String key, Node.Entry entry, Node.Mapping mapping, Values values) {
        Slot<R, ?> slot = slots.get(key);
        if (slot != null) {
            readValue(slot.key(), entry.value(), values);
            return;
        }
        values.reading().error(mapping, entry, "unknown key '" + key + "'" + unknownKeyHint(key));
    }

    /**
     * Returns a hint for an unknown key: where else the key is allowed, Ballast's name for the setting, or a
     * similar key.
     */
    private String unknownKeyHint(String key) {
        Optional<String> hint = unknownKeyHints.apply(key);
        if (hint.isPresent()) {
            return " (" + hint.get() + ")";
        }
        Optional<String> synonym = Synonyms.key(name, key).filter(slots::containsKey);
        if (synonym.isPresent()) {
            return ", did you mean '" + synonym.get() + "'?";
        }
        String suggestion = Suggestion.didYouMean(key, slots.keySet());
        return suggestion.isEmpty() ? " (expected: " + String.join(", ", slots.keySet()) + ")" : suggestion;
    }

    private static <T> void readValue(Key<T> key, Node node, Values values) {
        key.type().read(node, values.reading()).ifPresent(value -> values.put(key, value));
    }

    private Optional<R> construct(Values values) {
        while (true) {
            try {
                return Optional.of(build.apply(values));
            } catch (IllegalArgumentException e) {
                if (!removeRejected(e, values)) {
                    return Optional.empty();
                }
            }
        }
    }

    /** Reports a rejected value and removes it; returns whether the object can be built without it. */
    private boolean removeRejected(IllegalArgumentException refusal, Values values) {
        String message = ErrorText.of(refusal);
        Slot<R, ?> slot = slots.get(message.substring(0, Math.max(0, message.indexOf(':'))));
        if (slot == null || !values.has(slot.key())) {
            values.reading().error(values.mapping(), message);
            return false;
        }
        values.reading().reportRefusal(values.node(slot.key()), refusal);
        values.remove(slot.key());
        return !slot.key().isRequired() && rules.stream().noneMatch(rule -> rule.needs(slot.key()));
    }

    @Override
    public Map<String, Object> print(R value) {
        Map<String, Object> printed = new LinkedHashMap<>();
        slots.forEach((key, slot) -> slot.print(value).ifPresent(text -> printed.put(key, text)));
        return printed;
    }

    /** Returns a reference to {@link #definition()}. */
    @Override
    public Map<String, Object> schema() {
        return JsonSchema.reference(name);
    }

    /** Returns the JSON Schema of this shape, to which {@link #schema()} refers. */
    public Map<String, Object> definition() {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (Key<?> key : keys()) {
            Map<String, Object> property = new LinkedHashMap<>();
            property.put("description", key.summary());
            property.putAll(key.type().schema());
            key.printedFallback().ifPresent(value -> property.put("default", value));
            properties.put(key.name(), property);
            if (key.isRequired()) {
                required.add(key.name());
            }
        }
        Map<String, Object> definition = new LinkedHashMap<>();
        definition.put("type", "object");
        definition.put("description", summary);
        definition.put("properties", properties);
        definition.put("required", required);
        definition.put("additionalProperties", false);
        if (!rules.isEmpty()) {
            definition.put("allOf", rules.stream().map(KeyRule::schema).toList());
        }
        return definition;
    }

    @Override
    public String label() {
        return name;
    }

    /** Returns this shape and all shapes that its keys refer to, without duplicates. */
    @Override
    public List<Shape<?>> shapes() {
        Set<Shape<?>> shapes = new LinkedHashSet<>();
        shapes.add(this);
        keys().forEach(key -> shapes.addAll(key.type().shapes()));
        return List.copyOf(shapes);
    }
}
