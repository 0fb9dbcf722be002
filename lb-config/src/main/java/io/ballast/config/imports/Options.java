package io.ballast.config.imports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keys and values of one listener or pool, nested as in the generated configuration file. Thread safety:
 * confined to one thread.
 */
public final class Options {

    private final Map<String, Object> root = new LinkedHashMap<>();

    /** Sets the value at the dotted {@code path}, such as {@code connections.attempts}. */
    public void put(String path, Object value) {
        int dot = path.lastIndexOf('.');
        putIn(dot < 0 ? "" : path.substring(0, dot), path.substring(dot + 1), value);
    }

    /**
     * Sets {@code key} to a value in the mapping at the dotted {@code path}; the key may contain any character.
     */
    public void putIn(String path, String key, Object value) {
        Map<String, Object> map = root;
        for (String step : path.isEmpty() ? new String[0] : path.split("\\.", -1)) {
            @SuppressWarnings("unchecked")
            Map<String, Object> inner =
                    (Map<String, Object>) map.computeIfAbsent(step, absent -> new LinkedHashMap<String, Object>());
            map = inner;
        }
        map.put(key, value);
    }

    /** Returns the value at the dotted path. */
    public Optional<Object> get(String path) {
        Object at = root;
        for (String step : path.split("\\.", -1)) {
            at = at instanceof Map<?, ?> map ? map.get(step) : null;
            if (at == null) {
                return Optional.empty();
            }
        }
        return Optional.of(at);
    }

    /**
     * Sets a value that the imported file has for each server, but that Ballast has for the whole pool. The first value
     * is used.
     *
     * @param notes receives a note if the path already has another value
     */
    public void putFirst(String path, Object value, List<String> notes) {
        Optional<Object> before = get(path);
        if (before.isEmpty()) {
            put(path, value);
        } else if (!before.get().equals(value)) {
            notes.add(path + " is set per pool; the value used is " + before.get());
        }
    }

    /** Removes a top-level key. */
    public void remove(String key) {
        root.remove(key);
    }

    /** Adds a value to the list at a dotted path, unless the list already contains it. */
    public void addTo(String path, Object value) {
        @SuppressWarnings("unchecked")
        List<Object> before = (List<Object>) get(path).orElse(List.of());
        if (!before.contains(value)) {
            List<Object> after = new ArrayList<>(before);
            after.add(value);
            put(path, after);
        }
    }

    /** Returns an independent copy. */
    public Options copy() {
        Options copy = new Options();
        copy.root.putAll(copyOf(root));
        return copy;
    }

    /** Returns all keys and values. */
    public Map<String, Object> map() {
        return root;
    }

    private static Map<String, Object> copyOf(Map<?, ?> map) {
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(key.toString(), value instanceof Map<?, ?> inner ? copyOf(inner) : value));
        return copy;
    }
}
