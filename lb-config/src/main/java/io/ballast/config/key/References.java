package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** All references in the configuration to names of one kind, for example to pools. */
public final class References {

    private final String kind;
    private final List<Use> uses = new ArrayList<>();

    /** Creates an empty set of references; error messages call the referenced names {@code kind}. */
    References(String kind) {
        this.kind = kind;
    }

    /** Records that the node refers to a name. */
    public void use(String name, Node node) {
        uses.add(new Use(name, node, (reading, message) -> reading.error(node, message)));
    }

    /** Records that the key of an entry is a reference to a name. */
    public void use(String name, Node.Mapping mapping, Node.Entry entry) {
        uses.add(new Use(name, mapping, (reading, message) -> reading.error(mapping, entry, message)));
    }

    /** Returns all names to which at least one node refers. */
    public Set<String> usedNames() {
        Set<String> names = new HashSet<>();
        uses.forEach(use -> names.add(use.name()));
        return names;
    }

    /** Reports every use of a name that is not known. */
    public void check(Collection<String> known, ReadContext reading) {
        for (Use use : uses) {
            if (!known.contains(use.name())) {
                use.report()
                        .accept(
                                reading,
                                "no " + kind + " '" + use.name() + "'" + Suggestion.didYouMean(use.name(), known));
            }
        }
    }

    /**
     * Reports each use of a name that matches {@code names} at a node that matches {@code nodes}. If the name is
     * the key of an entry, {@code nodes} tests the mapping that contains the entry.
     */
    public void refuse(Predicate<String> names, Predicate<Node> nodes, String message, ReadContext reading) {
        uses.stream()
                .filter(use -> names.test(use.name()) && nodes.test(use.node()))
                .forEach(use -> use.report().accept(reading, kind + " '" + use.name() + "' " + message));
    }

    /** A name, the node where it is used, and the function that reports a problem there. */
    private record Use(String name, Node node, BiConsumer<ReadContext, String> report) {}
}
