package io.ballast.agent.registry;

import io.ballast.core.backend.AgentReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The agents by id, and the agent that owns each backend. Confined to the thread of the registry. */
final class AgentTable {

    /** The time after which the registration of an agent without backends may be dropped if there are too many. */
    static final Duration UNUSED = Duration.ofDays(7);

    /** The time after which a revoked agent may be dropped if there are too many; it could then register again. */
    static final Duration REVOKED_UNUSED = Duration.ofDays(90);

    private final Map<String, AgentEntry> entries = new LinkedHashMap<>();
    private final Map<BackendKey, AgentEntry> owners = new HashMap<>();
    private final Map<String, Integer> countByPool = new HashMap<>();
    private long sequence;

    int size() {
        return entries.size();
    }

    Collection<AgentEntry> all() {
        return entries.values();
    }

    @Nullable AgentEntry find(String id) {
        return entries.get(id);
    }

    void add(AgentEntry entry) {
        entries.put(entry.identity().id(), entry);
    }

    /** Removes an agent without backends. */
    void drop(AgentEntry entry) {
        entries.remove(entry.identity().id());
    }

    /** Returns the agent that may be dropped first if there are too many; empty if all are in use. */
    Optional<AgentEntry> longestUnused(Instant now) {
        return entries.values().stream()
                .filter(entry -> entry.backends().isEmpty())
                .filter(entry -> !entry.identity()
                        .used()
                        .plus(entry.identity().isRevoked() ? REVOKED_UNUSED : UNUSED)
                        .isAfter(now))
                .min(Comparator.comparing(entry -> entry.identity().used()));
    }

    /** Returns the agent that reports a backend; null if there is none. */
    @Nullable AgentEntry owner(BackendKey key) {
        return owners.get(key);
    }

    /** Returns the number of backends of all agents. */
    int backendCount() {
        return owners.size();
    }

    int backendCount(String pool) {
        return countByPool.getOrDefault(pool, 0);
    }

    /** Stores a backend that no other agent owns; returns whether something has changed. */
    boolean put(AgentEntry entry, ReportedBackend backend) {
        BackendKey key = backend.key();
        if (owners.put(key, entry) == null) {
            countByPool.merge(key.pool(), 1, Integer::sum);
        }
        boolean changed = !backend.equals(entry.backends().get(key));
        entry.put(backend, sequence++);
        if (backend.state() == AgentReport.State.UP && !entry.hasJoined(key)) {
            entry.markJoined(key);
            changed = true;
        }
        return changed;
    }

    void remove(AgentEntry entry, BackendKey key) {
        entry.remove(key);
        owners.remove(key);
        countByPool.compute(key.pool(), (pool, count) -> count == null || count == 1 ? null : count - 1);
    }

    /** Removes all backends of an agent; returns whether it had some. */
    boolean removeAll(AgentEntry entry) {
        List<BackendKey> all = List.copyOf(entry.backends().keySet());
        all.forEach(each -> remove(entry, each));
        return !all.isEmpty();
    }
}
