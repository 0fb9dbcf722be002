package io.ballast.config.load;

import io.ballast.config.key.ReadContext;
import io.ballast.config.longform.LongForm;
import io.ballast.config.yaml.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applies the overrides of a single node to a configuration. Stateless. */
final class NodeOverrides {

    private NodeOverrides() {}

    /** Whether the configuration has overrides for single nodes. */
    static boolean isPresent(Node.Mapping root) {
        return root.entry(LongForm.NODES).isPresent();
    }

    /**
     * Returns the root without the key for overrides, after merging the overrides of one node into it.
     *
     * @param node the name of the node; empty if no override applies
     * @param voters the names of the cluster's voters; an override with an unknown name causes a warning, unless this
     *     list is empty
     */
    static Node.Mapping merge(Node.Mapping root, Optional<String> node, List<String> voters, ReadContext reading) {
        Optional<Node.Entry> overrides = root.entry(LongForm.NODES);
        if (overrides.isEmpty()) {
            return root;
        }
        Map<String, Node.Entry> rest = new LinkedHashMap<>(root.entries());
        rest.remove(LongForm.NODES);
        Node.Mapping base = new Node.Mapping(root.place(), root.path(), root.name(), rest);
        Map<String, Node.Mapping> all =
                LongForm.NODE_OVERRIDES.read(overrides.get().value(), reading).orElse(Map.of());
        all.forEach((name, own) -> {
            refuseNested(own, reading);
            boolean isKnown = voters.isEmpty() || voters.contains(name) || node.equals(Optional.of(name));
            if (!isKnown) {
                reading.warning(
                        own, "no voter has this name (expected: one of " + voters + ", or the name of a follower)");
            }
        });
        return node.map(all::get).map(own -> merge(base, own)).orElse(base);
    }

    private static void refuseNested(Node.Mapping own, ReadContext reading) {
        for (String key :
                new String[] {LongForm.NODES, LongForm.INCLUDE, LongForm.CLUSTER_KEY, LongForm.DATA_DIR_KEY}) {
            own.entry(key)
                    .ifPresent(entry -> reading.error(
                            own,
                            entry,
                            "'" + key + "' is not permitted in an override of a node (expected: keys other than nodes,"
                                    + " include, cluster and data_dir)"));
        }
    }

    /** Merges nested mappings key by key; any other value in {@code over} replaces the value in {@code base}. */
    private static Node.Mapping merge(Node.Mapping base, Node.Mapping over) {
        Map<String, Node.Entry> merged = new LinkedHashMap<>(base.entries());
        over.entries().forEach((key, entry) -> merged.merge(key, entry, NodeOverrides::merge));
        return new Node.Mapping(base.place(), base.path(), base.name(), merged);
    }

    private static Node.Entry merge(Node.Entry base, Node.Entry over) {
        return base.value() instanceof Node.Mapping one && over.value() instanceof Node.Mapping two
                ? new Node.Entry(over.keyPlace(), merge(one, two))
                : over;
    }
}
