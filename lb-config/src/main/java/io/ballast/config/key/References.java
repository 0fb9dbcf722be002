package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** The places where things of one kind are named. */
public final class References {

    private final String kind;
    private final List<Use> uses = new ArrayList<>();

    /** Starts without names; {@code kind} is the word for such a name in messages. */
    References(String kind) {
        this.kind = kind;
    }

    /** Notes that the node names something. */
    public void use(String name, Node node) {
        uses.add(new Use(name, node, (reading, message) -> reading.error(node, message)));
    }

    /** Notes that the key of an entry names something. */
    public void use(String name, Node.Mapping mapping, Node.Entry entry) {
        uses.add(new Use(name, mapping, (reading, message) -> reading.error(mapping, entry, message)));
    }

    /** Returns the names that are used anywhere. */
    public Set<String> used() {
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

    /** Reports each use of one of the names in the nodes or as a key of them. */
    public void refuse(Predicate<String> names, Predicate<Node> nodes, String message, ReadContext reading) {
        uses.stream()
                .filter(use -> names.test(use.name()) && nodes.test(use.node()))
                .forEach(use -> use.report().accept(reading, kind + " '" + use.name() + "' " + message));
    }

    /** A name, where it is used, and how a problem there is reported. */
    private record Use(String name, Node node, BiConsumer<ReadContext, String> report) {}
}
