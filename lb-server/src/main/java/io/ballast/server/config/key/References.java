package io.ballast.server.config.key;

import io.ballast.server.config.yaml.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** The places where things of one kind are named. */
public final class References {

    private final String kind;
    private final List<Use> uses = new ArrayList<>();

    /** Nothing is named yet; {@code kind} is what a message calls such a thing. */
    References(String kind) {
        this.kind = kind;
    }

    /** Notes that the node names something. */
    public void use(String name, Node node) {
        uses.add(new Use(name, (reading, message) -> reading.error(node, message)));
    }

    /** Notes that the key of an entry names something. */
    public void use(String name, Node.Mapping mapping, Node.Entry entry) {
        uses.add(new Use(name, (reading, message) -> reading.error(mapping, entry, message)));
    }

    /** Returns the names that are used anywhere. */
    public Set<String> used() {
        Set<String> names = new HashSet<>();
        uses.forEach(use -> names.add(use.name()));
        return names;
    }

    /** Reports every use of a name that is not known. */
    public void check(Collection<String> known, Reading reading) {
        for (Use use : uses) {
            if (!known.contains(use.name())) {
                use.report()
                        .accept(
                                reading,
                                "no " + kind + " '" + use.name() + "'" + Suggestion.didYouMean(use.name(), known));
            }
        }
    }

    /** A name, and how a problem at its place is reported. */
    private record Use(String name, BiConsumer<Reading, String> report) {}
}
