package io.ballast.replication;

import io.ballast.cluster.fact.Fact;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactFamily;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.PendingChange;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A family of facts that keeps one setting equal on all nodes. A change on this node takes effect immediately and also
 * changes a fact; a committed fact changes the setting of this node. Facts that this version cannot read are kept.
 *
 * <p>Thread safety: the methods of {@link FactFamily} may be called by any thread; all other methods are confined to
 * the control plane.
 *
 * @param <V> the type of values; immutable
 */
abstract class SyncedFamily<V> implements FactFamily {

    /** The author of changes that come from other nodes, for the timeline. */
    static final String AUTHOR = "the cluster";

    /**
     * A fact as this node knows it.
     *
     * @param value null if the fact was removed, or if this version cannot read it
     * @param version the version on which the next change is based
     */
    record Known<V>(@Nullable V value, long version) {}

    private final Map<String, Known<V>> known = new LinkedHashMap<>();
    private final ControlPlane control;
    private final String prefix;
    private final FactBound bound;
    /** Changes of this node between {@link #connect} and {@link #ready}. */
    private final Map<String, Optional<V>> early = new LinkedHashMap<>();

    private volatile @Nullable FactStore facts;
    private boolean isReady;

    SyncedFamily(String prefix, FactBound bound, ControlPlane control) {
        this.prefix = prefix;
        this.bound = bound;
        this.control = control;
    }

    @Override
    public final String prefix() {
        return prefix;
    }

    @Override
    public final FactBound bound() {
        return bound;
    }

    @Override
    public void connect(FactStore store) {
        facts = store;
    }

    // ---- what subclasses define

    /** Returns the value of a fact; empty if another version of Ballast wrote it in an unknown form. */
    abstract Optional<V> decode(String key, String text);

    abstract String encode(V value);

    /** Returns the subject of a fact, for the timeline. */
    abstract String subject(String key);

    /** Returns the origin of the events in the timeline. */
    abstract Origin origin();

    /** Called when this node is new in the cluster: publishes its values as facts. */
    abstract void publish();

    /** Makes all values of this node equal to {@link #values}. */
    abstract void adoptAll();

    /**
     * Makes one value of this node equal to a fact that has changed.
     *
     * @param before null if there was no readable fact
     * @param after null if the fact was removed
     */
    abstract void adopt(@Nullable V before, @Nullable V after);

    // ---- changes from the cluster

    @Override
    public final void committed(String key, Optional<Fact> fact) {
        control.execute(() -> {
            V after = fact.flatMap(present -> decode(key, present.value())).orElse(null);
            Known<V> before = fact.isPresent()
                    ? known.put(key, new Known<>(after, fact.get().version()))
                    : known.remove(key);
            adoptIfReady(before, after);
        });
    }

    private void adoptIfReady(@Nullable Known<V> before, @Nullable V after) {
        V earlier = before == null ? null : before.value();
        if (isReady && (earlier != null || after != null)) {
            adopt(earlier, after);
        }
    }

    @Override
    public final void restored(PendingChange change) {
        control.execute(() -> {
            V value = change.value().flatMap(text -> decode(change.key(), text)).orElse(null);
            adoptIfReady(known.put(change.key(), new Known<>(value, change.base())), value);
        });
    }

    @Override
    public final void rejected(PendingChange change, String reason) {
        String subject = subject(change.key());
        control.execute(() ->
                control.timeline().add(origin(), subject, "the cluster rejected a change of this node: " + reason));
    }

    @Override
    public final void ready(boolean isNew) {
        control.execute(() -> {
            isReady = true;
            if (isNew) {
                publish();
            } else {
                early.forEach((key, value) -> change(key, value.orElse(null)));
                adoptAll();
            }
            early.clear();
        });
    }

    // ---- changes on this node

    /** Whether all facts and pending changes on disk have been received. */
    final boolean isReady() {
        return isReady;
    }

    final ControlPlane control() {
        return control;
    }

    /**
     * Like {@link #change}; if the facts have not been received yet, the change is made when they are received.
     *
     * @param value null to remove the fact
     */
    final void changeWhenReady(String key, @Nullable V value) {
        if (isReady) {
            change(key, value);
        } else if (facts != null) {
            early.put(key, Optional.ofNullable(value));
        }
    }

    /** The store; null before this process is in the cluster. */
    final @Nullable FactStore facts() {
        return facts;
    }

    /** The readable values by key. */
    final Map<String, V> values() {
        Map<String, V> values = new LinkedHashMap<>();
        known.forEach((key, each) -> {
            if (each.value() != null) {
                values.put(key, each.value());
            }
        });
        return values;
    }

    /** Returns the version of a fact, on which the next change of it is based. */
    final long version(String key) {
        Known<V> fact = known.get(key);
        return fact == null ? Fact.ABSENT : fact.version();
    }

    /**
     * Changes a fact, unless the fact already has this value.
     *
     * @param value null to remove the fact
     */
    final void change(String key, @Nullable V value) {
        Known<V> before = known.getOrDefault(key, new Known<>(null, Fact.ABSENT));
        FactStore store = facts;
        if (store != null && !Optional.ofNullable(value).equals(Optional.ofNullable(before.value()))) {
            known.put(key, new Known<>(value, before.version()));
            store.change(key, Optional.ofNullable(value).map(this::encode), before.version());
        }
    }
}
