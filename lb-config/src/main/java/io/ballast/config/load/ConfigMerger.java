package io.ballast.config.load;

import io.ballast.config.longform.LongForm;
import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges the root mappings of several files. It joins lists and merges mappings (such as {@code pools}) key
 * by key; any other value may occur only once. An instance can be used only once.
 */
final class ConfigMerger {

    /**
     * Mappings are merged down to this depth: the root and its direct children. Deeper mappings are not merged.
     */
    private static final int UNITED_DEPTH = 1;

    private final Problems problems;
    private final Map<String, Node.Entry> entries = new LinkedHashMap<>();

    ConfigMerger(Problems problems) {
        this.problems = problems;
    }

    void add(Node.Mapping root) {
        root.entries().forEach((key, entry) -> {
            if (!key.equals(LongForm.INCLUDE)) {
                put(entries, key, entry, root.path(), UNITED_DEPTH);
            }
        });
    }

    /** Returns the merged root mapping, with the location of {@code main}. */
    Node.Mapping result(Node.Mapping main) {
        return new Node.Mapping(main.place(), main.path(), main.name(), entries);
    }

    private void put(Map<String, Node.Entry> into, String key, Node.Entry entry, String path, int depth) {
        Node.Entry first = into.get(key);
        if (first == null) {
            into.put(key, entry);
        } else if (first.value() instanceof Node.Sequence one && entry.value() instanceof Node.Sequence two) {
            into.put(key, new Node.Entry(first.keyPlace(), joined(one, two)));
        } else if (depth > 0
                && first.value() instanceof Node.Mapping one
                && entry.value() instanceof Node.Mapping two) {
            into.put(key, new Node.Entry(first.keyPlace(), united(one, two, depth - 1)));
        } else {
            problems.error(entry.keyPlace(), path, "duplicate key '" + key + "' (first at " + first.keyPlace() + ")");
        }
    }

    private static Node.Sequence joined(Node.Sequence one, Node.Sequence two) {
        List<Node> items = new ArrayList<>(one.items());
        items.addAll(two.items());
        return new Node.Sequence(one.place(), one.path(), items);
    }

    private Node.Mapping united(Node.Mapping one, Node.Mapping two, int depth) {
        Map<String, Node.Entry> union = new LinkedHashMap<>(one.entries());
        two.entries().forEach((key, entry) -> put(union, key, entry, two.path(), depth));
        return new Node.Mapping(one.place(), one.path(), one.name(), union);
    }
}
