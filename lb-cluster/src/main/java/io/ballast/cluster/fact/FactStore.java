package io.ballast.cluster.fact;

import io.ballast.core.Checks;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** The facts of one family: how the family reads and changes them. Thread-safe. */
public final class FactStore {

    private final SharedFacts facts;
    private final String prefix;

    FactStore(SharedFacts facts, String prefix) {
        this.facts = facts;
        this.prefix = prefix;
    }

    /** Returns the committed fact with this key, if there is one. */
    public Optional<Fact> find(String key) {
        return facts.find(key);
    }

    /** The committed facts of this family, the oldest first. Cost: O(number of all facts). */
    public List<Fact> all() {
        return facts.all().stream()
                .filter(fact -> fact.key().startsWith(prefix))
                .sorted(Comparator.comparingLong(Fact::version))
                .toList();
    }

    /** Like {@link SharedFacts#change}: the change is pending until it is committed or rejected. */
    public void change(String key, Optional<String> value, long base) {
        facts.change(own(key), value, base);
    }

    /** Like {@link SharedFacts#propose}: the change is tried once, and never pending. */
    public CompletableFuture<ProposalResult> propose(String key, Optional<String> value, long base) {
        return facts.propose(own(key), value, base);
    }

    /** Like {@link SharedFacts#watch}. */
    public ChangeWatch watch(Predicate<String> keys) {
        return facts.watch(keys);
    }

    /** Whether this node leads, so that it may do work that one node should do for all. */
    public boolean isLeader() {
        return facts.log().isLeader();
    }

    /** The name of the leader; empty if this node does not know one. */
    public Optional<String> leader() {
        return Optional.ofNullable(facts.log().leader());
    }

    /** Whether this node knows a leader, to which it can submit changes. */
    public boolean hasLeader() {
        return facts.log().leader() != null;
    }

    private String own(String key) {
        Checks.that(key.startsWith(prefix) && key.length() > prefix.length(), "key", key, prefix + "…");
        return key;
    }
}
