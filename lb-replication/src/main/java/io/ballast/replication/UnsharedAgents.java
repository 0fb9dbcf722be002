package io.ballast.replication;

import io.ballast.agent.registry.AgentIdentity;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The registrations on this node that the cluster has not agreed on, of which at most {@value #MAX_IN_FLIGHT} are
 * proposed at the same time. The registry bounds their number. Confined to the control plane, except {@link #contains}.
 */
final class UnsharedAgents {

    static final int MAX_IN_FLIGHT = 64;

    private final Map<String, AgentIdentity> identities = new ConcurrentHashMap<>();
    /** The ids of the registrations that may be proposed now, in the order in which they were added. */
    private final Set<String> waiting = new LinkedHashSet<>();

    private final Set<String> inFlight = new LinkedHashSet<>();

    /** Returns whether the cluster has not agreed on this registration yet. Any thread may call this method. */
    boolean contains(String id) {
        return identities.containsKey(id);
    }

    boolean isEmpty() {
        return identities.isEmpty();
    }

    boolean isInFlight(String id) {
        return inFlight.contains(id);
    }

    @Nullable AgentIdentity find(String id) {
        return identities.get(id);
    }

    /** Adds or replaces a registration. */
    void put(AgentIdentity identity) {
        identities.put(identity.id(), identity);
        waiting.add(identity.id());
    }

    void remove(String id) {
        identities.remove(id);
        waiting.remove(id);
    }

    /** Returns the ids of the registrations that may be proposed now. */
    List<String> waiting() {
        return List.copyOf(waiting);
    }

    /** Returns the registration to propose now; null if there is none, or enough are in flight. */
    @Nullable AgentIdentity take(String id) {
        AgentIdentity identity = identities.get(id);
        if (identity == null || inFlight.contains(id) || inFlight.size() >= MAX_IN_FLIGHT) {
            return null;
        }
        waiting.remove(id);
        inFlight.add(id);
        return identity;
    }

    /** Called when the proposal of an identity has ended. */
    void answered(AgentIdentity proposed, boolean isCommitted) {
        inFlight.remove(proposed.id());
        if (isCommitted && proposed.equals(identities.get(proposed.id()))) {
            identities.remove(proposed.id());
            waiting.remove(proposed.id());
        }
    }

    /** Permits failed proposals to be repeated. */
    void retryFailed() {
        identities.keySet().stream().filter(id -> !inFlight.contains(id)).forEach(waiting::add);
    }
}
