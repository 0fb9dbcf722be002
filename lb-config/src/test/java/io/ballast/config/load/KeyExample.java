package io.ballast.config.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An object of an example file, with the key that holds it. */
sealed interface KeyExample {

    /** Returns a mapping from the key to the object, as in the file. */
    Map<String, ?> tree();

    /** Returns whether the object has a value for a key. */
    boolean shows(String key);

    /** Returns whether this example and {@code other} can be shown together as one value of the same key. */
    default boolean canTake(KeyExample other) {
        return false;
    }

    /** Returns an example that shows this example together with {@code other}. */
    default KeyExample with(KeyExample other) {
        throw new IllegalArgumentException("cannot be shown together: " + this + ", " + other);
    }

    /** A whole file. */
    record WholeFile(Map<?, ?> object) implements KeyExample {

        @Override
        public Map<String, ?> tree() {
            Map<String, Object> tree = new LinkedHashMap<>();
            object.forEach((key, value) -> tree.put(key.toString(), value));
            return tree;
        }

        @Override
        public boolean shows(String key) {
            return object.containsKey(key);
        }
    }

    /** The value of a key. */
    record Value(String key, Map<?, ?> object) implements KeyExample {

        @Override
        public Map<String, ?> tree() {
            return Map.of(key, object);
        }

        @Override
        public boolean shows(String shown) {
            return object.containsKey(shown);
        }
    }

    /** Items of a list. */
    record Item(String key, List<Map<?, ?>> objects) implements KeyExample {

        Item(String key, Map<?, ?> object) {
            this(key, List.of(object));
        }

        @Override
        public Map<String, ?> tree() {
            return Map.of(key, objects);
        }

        @Override
        public boolean shows(String shown) {
            return objects.stream().anyMatch(object -> object.containsKey(shown));
        }

        @Override
        public boolean canTake(KeyExample other) {
            return other instanceof Item item && item.key.equals(key);
        }

        @Override
        public KeyExample with(KeyExample other) {
            List<Map<?, ?>> all = new ArrayList<>(objects);
            all.addAll(((Item) other).objects);
            return new Item(key, all);
        }
    }

    /** Entries of a mapping whose keys are names that users choose. */
    record Named(String key, Map<String, Map<?, ?>> objects) implements KeyExample {

        Named(String key, String name, Map<?, ?> object) {
            this(key, Map.of(name, object));
        }

        @Override
        public Map<String, ?> tree() {
            return Map.of(key, objects);
        }

        @Override
        public boolean shows(String shown) {
            return objects.values().stream().anyMatch(object -> object.containsKey(shown));
        }

        @Override
        public boolean canTake(KeyExample other) {
            return other instanceof Named named
                    && named.key.equals(key)
                    && named.objects.keySet().stream().noneMatch(objects::containsKey);
        }

        @Override
        public KeyExample with(KeyExample other) {
            Map<String, Map<?, ?>> all = new LinkedHashMap<>(objects);
            all.putAll(((Named) other).objects);
            return new Named(key, all);
        }
    }
}
