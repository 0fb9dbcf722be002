package io.ballast.cluster.fact;

import io.ballast.core.Checks;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The families of facts that this version knows. Forwards each notification to the family of its key. Facts of other
 * families are kept but not forwarded, so that nodes of different versions can form a cluster. Immutable.
 */
public final class FactFamilies implements FactListener {

    private static final Pattern PREFIX = Pattern.compile("[a-z]+/");

    private final Map<String, FactFamily> byPrefix = new HashMap<>();
    private final List<FactFamily> all;

    /** @throws IllegalArgumentException if a prefix is malformed, or two families have the same prefix */
    public FactFamilies(List<FactFamily> families) {
        this.all = List.copyOf(families);
        for (FactFamily family : all) {
            String prefix = family.prefix();
            Checks.that(PREFIX.matcher(prefix).matches(), "prefix", prefix, "lower-case letters and a slash");
            Checks.that(byPrefix.put(prefix, family) == null, "prefix", prefix, "different prefixes of all families");
        }
    }

    /** Connects each family with its part of the facts. */
    public void connect(SharedFacts facts) {
        for (FactFamily family : all) {
            family.connect(new FactStore(facts, family.prefix()));
        }
    }

    /** Whether this version knows a prefix, such as {@code override/}. */
    boolean knows(String prefix) {
        return byPrefix.containsKey(prefix);
    }

    /** The number of committed facts that belong to no family that this version knows. */
    public int unknown(SharedFacts facts) {
        return facts.count(prefix -> !knows(prefix));
    }

    private void forward(String key, Consumer<FactFamily> call) {
        FactFamily family = byPrefix.get(FactUsage.prefix(key));
        if (family != null) {
            call.accept(family);
        }
    }

    @Override
    public FactBound bound(String key) {
        FactFamily family = byPrefix.get(FactUsage.prefix(key));
        return family == null ? FactBound.ALL : family.bound();
    }

    @Override
    public void committed(String key, Optional<Fact> fact) {
        forward(key, family -> family.committed(key, fact));
    }

    @Override
    public void restored(PendingChange change) {
        forward(change.key(), family -> family.restored(change));
    }

    @Override
    public void ready(boolean isNew) {
        all.forEach(family -> family.ready(isNew));
    }

    @Override
    public void rejected(PendingChange change, String reason) {
        forward(change.key(), family -> family.rejected(change, reason));
    }
}
