package io.ballast.server.config.key;

import io.ballast.server.config.yaml.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The places where things of one kind are named. */
public final class References {

    private final String kind;
    private final List<Located<String>> uses = new ArrayList<>();

    /** Nothing is named yet; {@code kind} is what a message calls such a thing. */
    References(String kind) {
        this.kind = kind;
    }

    /** Notes that the node names something. */
    public void use(String name, Node node) {
        uses.add(new Located<>(name, node));
    }

    /** Returns the names that are used anywhere. */
    public Set<String> used() {
        Set<String> names = new HashSet<>();
        uses.forEach(use -> names.add(use.value()));
        return names;
    }

    /** Reports every use of a name that is not known. */
    public void check(Collection<String> known, Reading reading) {
        for (Located<String> use : uses) {
            if (!known.contains(use.value())) {
                reading.error(
                        use.node(),
                        "no " + kind + " '" + use.value() + "'" + Suggestion.didYouMean(use.value(), known));
            }
        }
    }
}
