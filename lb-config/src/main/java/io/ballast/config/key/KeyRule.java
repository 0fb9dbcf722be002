package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A rule on how many keys of a group a mapping may contain.
 *
 * @param requiresOne whether the mapping must contain at least one
 * @param allowsOnlyOne whether the mapping must not contain more than one
 */
record KeyRule(List<Key<?>> keys, boolean requiresOne, boolean allowsOnlyOne) {

    /**
     * Returns whether the mapping meets the rule and all values of the group could be read; reports a violation.
     */
    boolean holds(Node.Mapping mapping, Values values) {
        List<Key<?>> present = new ArrayList<>(1);
        for (Key<?> key : keys) {
            if (mapping.entries().containsKey(key.name())) {
                present.add(key);
            }
        }
        if (present.isEmpty()) {
            if (requiresOne) {
                values.reading().error(mapping, "missing key: one of " + names(keys));
            }
            return !requiresOne;
        }
        if (allowsOnlyOne && present.size() > 1) {
            String message = "only one of " + names(present) + " can be given";
            mapping.entry(present.get(1).name())
                    .ifPresent(entry -> values.reading().error(mapping, entry, message));
            return false;
        }
        return !requiresOne || present.stream().anyMatch(values::has);
    }

    /** Returns whether this rule may require the key, so that the object can be invalid without the key. */
    boolean needs(Key<?> key) {
        return requiresOne && keys.contains(key);
    }

    /** Returns the rule as a sentence. */
    String sentence() {
        if (!allowsOnlyOne) {
            return "At least one of " + names(keys) + " must be given.";
        }
        return (requiresOne ? "Exactly one of " : "At most one of ") + names(keys) + " can be given.";
    }

    /** Returns the rule as a JSON Schema for the mapping. */
    Map<String, Object> schema() {
        List<Map<String, Object>> alternatives = new ArrayList<>();
        keys.forEach(key -> alternatives.add(Map.of("required", List.of(key.name()))));
        if (!requiresOne) {
            alternatives.add(Map.of("not", JsonSchema.anyOf(List.copyOf(alternatives))));
        }
        return Map.of(allowsOnlyOne ? "oneOf" : "anyOf", alternatives);
    }

    private static String names(List<Key<?>> keys) {
        return keys.stream().map(key -> "'" + key.name() + "'").collect(Collectors.joining(", "));
    }
}
