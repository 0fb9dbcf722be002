package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.balance.Member;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.control.PreparedChange;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The transition from the running topology to the next one.
 *
 * <p>{@link #compile} must be the last call before the commit, and must be repeated if its result is
 * outdated. The pools must be refreshed after the commit, so that concurrent health changes are not missed.
 * Removed backends complete their exchanges; the backends of a removed pool also serve its queue.
 */
public final class TopologyChange implements PreparedChange {

    private final Topology running;
    private final Topology next;
    private final List<PoolChange> changes;
    private final BackendIds ids;
    private final Clock clock;
    private final List<Joining> joining;
    private final Set<Backend> leaving;
    private final Set<Backend> disconnecting;
    private List<PoolSnapshot> compiled = List.of();
    private boolean committed;

    TopologyChange(Topology running, Topology next, List<PoolChange> changes, BackendIds ids, Clock clock) {
        this.running = running;
        this.next = next;
        this.changes = List.copyOf(changes);
        this.ids = ids;
        this.clock = clock;
        this.joining = joining(running, next, changes);
        this.leaving = leaving(running, next, changes);
        this.disconnecting = new LinkedHashSet<>(leaving);
        changes.forEach(change -> disconnecting.addAll(change.reconnecting()));
    }

    private static List<Joining> joining(Topology running, Topology next, List<PoolChange> changes) {
        List<Joining> joining = new ArrayList<>();
        for (PoolChange change : changes) {
            change.joining().forEach(backend -> joining.add(new Joining(backend, change.pool(), change.config())));
        }
        for (Pool pool : next.poolList()) {
            if (!running.pools().containsKey(pool.name())) {
                pool.members().forEach(member -> joining.add(new Joining(member.backend(), pool, pool.config())));
            }
        }
        return List.copyOf(joining);
    }

    private static Set<Backend> leaving(Topology running, Topology next, List<PoolChange> changes) {
        Set<Backend> leaving = new LinkedHashSet<>();
        changes.forEach(change -> leaving.addAll(change.leaving()));
        for (Pool pool : running.poolList()) {
            if (!next.pools().containsKey(pool.name())) {
                pool.members().stream().map(Member::backend).forEach(leaving::add);
            }
        }
        return leaving;
    }

    /**
     * A new backend.
     *
     * @param config the configuration of the pool, which may not be active yet
     */
    public record Joining(Backend backend, Pool pool, PoolConfig config) {}

    public Topology next() {
        return next;
    }

    /** The pools that exist before and after the change and that differ. */
    public List<Pool> changed() {
        return changes.stream().map(PoolChange::pool).toList();
    }

    /** The new backends, including those of new pools. */
    public List<Joining> joining() {
        return joining;
    }

    /** The removed backends, including those of removed pools. */
    public Set<Backend> leaving() {
        return Collections.unmodifiableSet(leaving);
    }

    /** The backends whose connections must not be reused after the commit. */
    public Set<Backend> disconnecting() {
        return Collections.unmodifiableSet(disconnecting);
    }

    /** The backends that remain in their pools, but whose host name now resolves to another address. */
    public List<AddressMove> moves() {
        return changes.stream().flatMap(change -> change.moves().stream()).toList();
    }

    @Override
    public List<String> warnings() {
        return joining.stream()
                .map(Joining::backend)
                .filter(backend -> !backend.isResolved())
                .map(backend -> backend + ": no address found; the backend is down until one is found")
                .toList();
    }

    /**
     * Compiles changed pools with the current health of their backends; takes as long as {@link Pool#compile}.
     */
    public void compile() {
        compiled = changes.stream().map(PoolChange::compile).toList();
    }

    /**
     * Returns whether the compilation reflects the current health of the backends. Called on the control plane's
     * thread, so that the result stays valid until the commit on the same thread.
     */
    public boolean isCurrent() {
        return IntStream.range(0, changes.size()).allMatch(i -> changes.get(i).isCurrent(compiled.get(i)));
    }

    @Override
    public void commit() {
        committed = true;
        Instant now = clock.instant();
        leaving.forEach(Backend::markRemoved);
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).commit(compiled.get(i), running.generation(), now);
        }
    }

    /** Releases the ids of removed backends, which must not be in use any more. */
    @Override
    public void releasePrevious() {
        changes.forEach(change -> change.pool().releasePreviousSnapshot());
        ids.release(numbers(leaving));
    }

    @Override
    public void close() {
        if (!committed) {
            ids.release(numbers(joining.stream().map(Joining::backend).toList()));
        }
    }

    private static List<Integer> numbers(Collection<Backend> backends) {
        return backends.stream().map(Backend::id).toList();
    }
}
