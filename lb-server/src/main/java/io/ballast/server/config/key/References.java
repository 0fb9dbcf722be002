package io.ballast.server.config.key;

import io.ballast.server.config.yaml.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The places where a pool is named. */
public final class References {

    private final List<Located<String>> uses = new ArrayList<>();

    /** Notes that the node names a pool. */
    public void use(String pool, Node node) {
        uses.add(new Located<>(pool, node));
    }

    /** Returns the names of the pools that are used anywhere. */
    public Set<String> used() {
        Set<String> names = new HashSet<>();
        uses.forEach(use -> names.add(use.value()));
        return names;
    }

    /** Reports every use of a pool that does not exist. */
    public void check(Collection<String> pools, Reading reading) {
        for (Located<String> use : uses) {
            if (!pools.contains(use.value())) {
                reading.error(use.node(), "no pool '" + use.value() + "'" + Suggestion.didYouMean(use.value(), pools));
            }
        }
    }
}
