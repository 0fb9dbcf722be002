package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The values of one mapping, by the keys of its shape. Thread safety: confined to the reading thread. */
public final class Values {

    private final Node.Mapping mapping;
    private final ReadContext reading;
    private final Map<Key<?>, Object> values = new HashMap<>();

    Values(Node.Mapping mapping, ReadContext reading) {
        this.mapping = mapping;
        this.reading = reading;
    }

    /** Returns the value of a key, or its default. The key must be required, or have a default. */
    public <T> T get(Key<T> key) {
        return find(key).orElseThrow(() -> new NoSuchElementException(key + " has no default"));
    }

    /**
     * Returns the value of a key, or its default if the configuration does not set it. Returns empty if the key
     * has neither.
     */
    @SuppressWarnings("unchecked") // put() accepts only values of the key's type
    public <T> Optional<T> find(Key<T> key) {
        Object value = values.get(key);
        return value == null ? key.fallback() : Optional.of((T) value);
    }

    /** Returns whether the file contains the key with a valid value. */
    public boolean has(Key<?> key) {
        return values.containsKey(key);
    }

    /** Returns whether the file contains the key with an invalid value, which has been reported. */
    public boolean isInvalid(Key<?> key) {
        return !has(key) && mapping.entry(key.name()).isPresent();
    }

    /** Returns the node of the key, or the whole mapping if the key is absent. */
    public Node node(Key<?> key) {
        return mapping.entry(key.name()).map(Node.Entry::value).orElse(mapping);
    }

    /** Returns the name of the key that holds this mapping. */
    public String name() {
        return mapping.name();
    }

    /** Returns the context of the run that reads this mapping. */
    public ReadContext reading() {
        return reading;
    }

    <T> void put(Key<T> key, T value) {
        values.put(key, value);
    }

    /** The mapping itself, for checks of nested values. */
    public Node.Mapping mapping() {
        return mapping;
    }

    void remove(Key<?> key) {
        values.remove(key);
    }
}
