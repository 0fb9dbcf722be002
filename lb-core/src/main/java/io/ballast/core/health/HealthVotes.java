package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.vote.BackendVotes;
import io.ballast.core.vote.VoteCounters;
import io.ballast.core.vote.VoteExchange;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Applies the votes of other nodes to the backends of this node. Many changes at once are applied in parts of {@value
 * #MAX_AT_ONCE} backends, so that check results are processed in between.
 *
 * <p>Thread safety: confined to the control plane, except for the methods of {@link VoteExchange.Listener}.
 */
final class HealthVotes implements VoteExchange.Listener {

    /** The number of backends that are updated by one task of the control plane. */
    static final int MAX_AT_ONCE = 50;

    private final ControlPlane control;
    private final Runnable onOtherRoles;
    private final VoteCounters counters = new VoteCounters();
    private final Set<String> due = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private final Map<String, BackendVotes> votes = new HashMap<>();
    private final Map<String, WatchedBackend> watches = new HashMap<>();
    private @Nullable VoteExchange exchange;

    /** @param onOtherRoles called when this node has begun or ceased to check backends */
    HealthVotes(ControlPlane control, Runnable onOtherRoles) {
        this.control = control;
        this.onOtherRoles = onOtherRoles;
    }

    VoteCounters counters() {
        return counters;
    }

    /** Shares votes with other nodes from now on. */
    void join(VoteExchange joined, Map<Backend, WatchedBackend> watched) {
        exchange = joined;
        joined.listen(this);
        if (replace(watched)) {
            onOtherRoles.run();
        }
    }

    /**
     * Replaces the backends that are watched. Returns whether this node has begun or ceased to check some of them. Does
     * nothing outside of a cluster.
     */
    boolean replace(Map<Backend, WatchedBackend> watched) {
        VoteExchange shared = exchange;
        if (shared == null) {
            return false;
        }
        watches.clear();
        boolean hasOtherRoles = false;
        for (WatchedBackend watch : watched.values()) {
            if (watch.hasCheck()) {
                String name = watch.backend().toString();
                watches.put(name, watch);
                hasOtherRoles |=
                        watch.join(votes.computeIfAbsent(name, added -> new BackendVotes(added, shared, counters)));
            } else {
                watch.leave();
            }
        }
        for (Iterator<Map.Entry<String, BackendVotes>> each = votes.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<String, BackendVotes> entry = each.next();
            if (!watches.containsKey(entry.getKey())) {
                entry.getValue().close();
                each.remove();
            }
        }
        return hasOtherRoles;
    }

    @Override
    public void votesChanged(Collection<String> backends) {
        due.addAll(backends);
        schedule();
    }

    @Override
    public void membersChanged() {
        control.execute(() -> {
            votes.forEach((backend, all) -> {
                if (all.hasChosenVoters()) {
                    due.add(backend);
                }
            });
            schedule();
        });
    }

    private void schedule() {
        if (!due.isEmpty() && isScheduled.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            control.execute(this::apply);
        }
    }

    private void apply() {
        isScheduled.set(false); // cleared before the names are read, so that a later change schedules another task
        boolean hasOtherRoles = false;
        int applied = 0;
        for (Iterator<String> names = due.iterator(); names.hasNext() && applied < MAX_AT_ONCE; applied++) {
            WatchedBackend watch = watches.get(names.next());
            names.remove();
            hasOtherRoles |= watch != null && watch.onVotes();
        }
        if (hasOtherRoles) {
            onOtherRoles.run();
        }
        schedule();
    }
}
