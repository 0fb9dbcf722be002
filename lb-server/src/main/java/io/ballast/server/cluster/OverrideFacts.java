package io.ballast.server.cluster;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.FactListener;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.OperatorOverrides;
import io.ballast.core.health.OverrideSnapshot;
import io.ballast.core.pool.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the overrides of operators equal on all nodes. A change on this node takes effect immediately and also changes
 * a fact; a committed fact becomes an override. If this node does not have the backend of an override, the fact is
 * kept, and the override takes effect when the backend is added.
 *
 * <p>Thread safety: the methods of {@link FactListener} may be called by any thread; all other methods are confined to
 * the control plane.
 */
final class OverrideFacts implements FactFamily {

    private static final String AUTHOR = "the cluster";
    private static final FactBound BOUND = new FactBound(/* facts= */ 20_000, /* bytes= */ 16 << 20);

    /** The newest value of an override that this node knows, with the version on which the next change is based. */
    private record Known(@Nullable String value, long version) {}

    private final Map<String, Known> known = new HashMap<>();
    private final ControlPlane control;
    private final Supplier<Topology> topology;
    private @Nullable FactStore facts;
    private @Nullable OperatorOverrides overrides;
    private OverrideSnapshot current = OverrideSnapshot.EMPTY;
    private boolean isReady;
    private boolean isAdopting;
    private boolean isAdoptionDue;

    OverrideFacts(ControlPlane control, Supplier<Topology> topology) {
        this.control = control;
        this.topology = topology;
    }

    /** Sets the overrides that are kept equal on all nodes. Called once, before {@link #connect}. */
    void setOverrides(OperatorOverrides local) {
        overrides = local;
    }

    @Override
    public String prefix() {
        return OverrideText.PREFIX;
    }

    @Override
    public FactBound bound() {
        return BOUND;
    }

    @Override
    public void connect(FactStore store) {
        facts = store;
    }

    // ---- from the cluster

    @Override
    public void committed(String key, Optional<Fact> fact) {
        control.execute(() -> {
            if (fact.isPresent()) {
                known.put(key, new Known(fact.get().value(), fact.get().version()));
            } else {
                known.remove(key);
            }
            adoptSoon();
        });
    }

    @Override
    public void restored(PendingChange change) {
        control.execute(() -> {
            known.put(change.key(), new Known(change.value().orElse(null), change.base()));
            adoptSoon();
        });
    }

    @Override
    public void rejected(PendingChange change, String reason) {
        String subject = OverrideText.subject(change.key());
        control.execute(() -> control.timeline()
                .add(Origin.OPERATOR, subject, "the cluster rejected a change of this node: " + reason));
    }

    /** Turns the overrides of this node into facts, if the node has never been in a cluster. */
    @Override
    public void ready(boolean isNew) {
        control.execute(() -> {
            isReady = true;
            if (isNew && overrides != null) {
                current = overrides.snapshot();
                publish();
            } else {
                adopt();
            }
        });
    }

    /** Schedules one update for all changes that arrive together. */
    private void adoptSoon() {
        if (isReady && !isAdoptionDue) {
            isAdoptionDue = true;
            control.execute(this::adopt);
        }
    }

    /** Makes the overrides of this node equal to the known ones. Also called when the backends have changed. */
    void adopt() {
        isAdoptionDue = false;
        if (!isReady || overrides == null) {
            return;
        }
        Map<String, String> wanted = new HashMap<>();
        known.forEach((key, each) -> {
            if (each.value() != null) {
                wanted.put(key, each.value());
            }
        });
        OverrideSnapshot decoded = OverrideText.decode(wanted);
        isAdopting = true;
        try {
            overrides.adopt(decoded, AUTHOR);
        } finally {
            isAdopting = false;
        }
        OverrideText.encode(decoded.expired(control.clock().instant())).keySet().forEach(key -> change(key, null));
    }

    // ---- from this node

    /** Called with all overrides of this node after each change. */
    void changed(OverrideSnapshot next) {
        current = next;
        if (isReady && !isAdopting) {
            publish();
        }
    }

    private void publish() {
        Map<String, String> active = OverrideText.encode(current);
        active.forEach(this::change);
        Set<String> removed = new HashSet<>(known.keySet());
        removed.removeAll(active.keySet());
        Set<String> subjects = subjects();
        for (String key : removed) {
            if (subjects.contains(OverrideText.subject(key))) {
                change(key, null);
            }
        }
    }

    private void change(String key, @Nullable String value) {
        Known before = known.getOrDefault(key, new Known(null, Fact.ABSENT));
        if (facts != null && !Optional.ofNullable(value).equals(Optional.ofNullable(before.value()))) {
            known.put(key, new Known(value, before.version()));
            facts.change(key, Optional.ofNullable(value), before.version());
        }
    }

    /** The pools and backends of this node, in the form used in keys. */
    private Set<String> subjects() {
        return topology.get().poolList().stream()
                .flatMap(pool -> Stream.concat(
                        Stream.of(pool.name()),
                        pool.members().stream()
                                .map(member ->
                                        pool.name() + "/" + member.backend().address())))
                .collect(Collectors.toSet());
    }
}
