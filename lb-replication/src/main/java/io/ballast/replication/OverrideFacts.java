package io.ballast.replication;

import io.ballast.cluster.fact.FactBound;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.health.OperatorOverrides;
import io.ballast.core.health.OverrideSnapshot;
import io.ballast.core.pool.Topology;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the overrides of operators equal on all nodes. If this node does not have the backend of an override, the fact
 * is kept, and the override takes effect when the backend is added.
 */
final class OverrideFacts extends SyncedFamily<String> {

    private static final FactBound BOUND = new FactBound(/* facts= */ 20_000, /* bytes= */ 16 << 20);

    private final Supplier<Topology> topology;
    private @Nullable OperatorOverrides overrides;
    private OverrideSnapshot current = OverrideSnapshot.EMPTY;
    private boolean isAdopting;
    private boolean isAdoptionDue;

    OverrideFacts(ControlPlane control, Supplier<Topology> topology) {
        super(OverrideText.PREFIX, BOUND, control);
        this.topology = topology;
    }

    /** Sets the overrides that are kept equal on all nodes. Called once, before {@link #connect}. */
    void setOverrides(OperatorOverrides local) {
        overrides = local;
    }

    @Override
    Optional<String> decode(String key, String text) {
        return OverrideText.isReadable(key, text) ? Optional.of(text) : Optional.empty();
    }

    @Override
    String encode(String value) {
        return value;
    }

    @Override
    String subject(String key) {
        return OverrideText.subject(key);
    }

    @Override
    Origin origin() {
        return Origin.OPERATOR;
    }

    // ---- changes from the cluster

    /** Schedules one update for all changes that arrive together. */
    @Override
    void adopt(@Nullable String before, @Nullable String after) {
        if (!isAdoptionDue) {
            isAdoptionDue = true;
            control().execute(this::adoptAll);
        }
    }

    /** Makes the overrides of this node equal to the facts. Also called when the backends have changed. */
    @Override
    void adoptAll() {
        isAdoptionDue = false;
        if (!isReady() || overrides == null) {
            return;
        }
        OverrideSnapshot decoded = OverrideText.decode(values());
        isAdopting = true;
        try {
            overrides.adopt(decoded, AUTHOR);
        } finally {
            isAdopting = false;
        }
        OverrideText.encode(decoded.expired(control().clock().instant()))
                .keySet()
                .forEach(key -> change(key, null));
    }

    // ---- changes on this node

    /** Called with all overrides of this node after each change. */
    void changed(OverrideSnapshot next) {
        if (!isReady()) {
            keepEarlyChanges(OverrideText.encode(current), OverrideText.encode(next));
        }
        current = next;
        if (isReady() && !isAdopting) {
            publishCurrent();
        }
    }

    private void keepEarlyChanges(Map<String, String> before, Map<String, String> after) {
        before.keySet().stream()
                .filter(key -> !after.containsKey(key))
                .forEach(key -> changeWhenReady(key, /* value= */ null));
        after.forEach((key, value) -> {
            if (!value.equals(before.get(key))) {
                changeWhenReady(key, value);
            }
        });
    }

    @Override
    void publish() {
        if (overrides != null) {
            current = overrides.snapshot();
            publishCurrent();
        }
    }

    private void publishCurrent() {
        Map<String, String> active = OverrideText.encode(current);
        active.forEach(this::change);
        Set<String> removed = new HashSet<>(values().keySet());
        removed.removeAll(active.keySet());
        Set<String> subjects = subjects();
        for (String key : removed) {
            if (subjects.contains(OverrideText.subject(key))) {
                change(key, null);
            }
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
