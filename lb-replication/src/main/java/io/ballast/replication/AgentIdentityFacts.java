package io.ballast.replication;

import io.ballast.agent.node.AgentSharing;
import io.ballast.agent.registry.AgentIdentity;
import io.ballast.agent.registry.AgentJsonForm;
import io.ballast.cluster.fact.FactBound;
import io.ballast.cluster.fact.FactStore;
import io.ballast.cluster.fact.ProposalResult;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the registered agents equal on all nodes, with their approvals and revocations. The key of a fact is {@code
 * agent/ID}.
 *
 * <p>Actions of operators are pending changes, like changes of other facts. A registration takes effect on the node
 * that the agent has chosen, and is proposed until the cluster agrees ({@link UnsharedAgents}): many agents may
 * register at once, and the action of an operator must not wait behind these registrations. If two nodes register the
 * same id with different secrets while they are not connected, the registration that is committed first keeps the id.
 *
 * <p>Thread safety: as {@link SyncedFamily}.
 */
final class AgentIdentityFacts extends SyncedFamily<AgentIdentity> {

    static final String PREFIX = "agent/";

    /** The bound permits the largest {@code agents.max_agents}, because nodes may have different values. */
    private static final FactBound BOUND = new FactBound(/* facts= */ 20_000, /* bytes= */ 24 << 20);

    /** The time after which proposals that failed are repeated. */
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final UnsharedAgents unshared = new UnsharedAgents();
    /** Actions of operators that wait for a proposal about the same agent. */
    private final Map<String, AgentIdentity> delayed = new HashMap<>();
    /** Agents whose proposal is committed, but has not arrived through the log, so that the version is not known. */
    private final Set<String> ahead = new HashSet<>();

    private AgentSharing.@Nullable Target target;
    private Map<AgentIdentity, Boolean> local = Map.of();
    private boolean isNewMember;
    private boolean isRetryScheduled;

    AgentIdentityFacts(ControlPlane control) {
        super(PREFIX, BOUND, control);
    }

    static String key(String id) {
        return PREFIX + id;
    }

    /** Returns whether a registration is not committed yet. Any thread may call. */
    boolean isUnshared(String id) {
        return unshared.contains(id);
    }

    /**
     * Begins to change the agents of this node. Called once.
     *
     * @param identities the agents of this node; the value of an agent is true if the cluster has agreed on it
     */
    void start(AgentSharing.Target node, Map<AgentIdentity, Boolean> identities) {
        target = node;
        local = identities;
        if (isReady()) {
            reconcile();
        }
    }

    /**
     * Makes this node equal to the cluster. An agent that the cluster does not know has registered on this node without
     * a majority, or was dropped by the cluster while this node was away.
     */
    private void reconcile() {
        AgentSharing.Target node = target;
        if (node == null) {
            return;
        }
        Map<String, AgentIdentity> shared = values();
        local.forEach((identity, isShared) -> {
            if (shared.containsKey(key(identity.id()))) {
                return;
            }
            if (isNewMember || !isShared) {
                unshared.put(identity);
            } else {
                node.adopt(identity.id(), Optional.empty(), /* isShared= */ true);
            }
        });
        local = Map.of();
        shared.values().forEach(identity -> node.adopt(identity.id(), Optional.of(identity), /* isShared= */ true));
        proposeAll();
    }

    // ---- changes on this node

    /** Called when an agent has registered on this node. */
    void registered(AgentIdentity identity) {
        unshared.put(identity);
        propose(identity.id());
    }

    /** Called when an operator of this node has approved or revoked an agent, or the agent has replaced its secret. */
    void changed(AgentIdentity identity) {
        if (unshared.isInFlight(identity.id()) || ahead.contains(identity.id())) {
            delayed.put(identity.id(), identity);
        } else {
            unshared.remove(identity.id());
            changeWhenReady(key(identity.id()), identity);
        }
    }

    /** Called when the registration of an agent was dropped. */
    void dropped(String id) {
        unshared.remove(id);
        FactStore store = facts();
        if (isReady() && store != null) {
            CompletableFuture<?> unused = store.propose(key(id), /* value= */ Optional.empty(), version(key(id)));
        }
    }

    // ---- proposals

    private void proposeAll() {
        unshared.waiting().forEach(this::propose);
    }

    private void propose(String id) {
        FactStore store = facts();
        if (store == null || !isReady() || !store.hasLeader()) {
            retryLater();
            return;
        }
        AgentIdentity proposed = unshared.take(id);
        if (proposed == null) {
            return;
        }
        CompletableFuture<?> unused = store.propose(
                        key(id), Optional.of(AgentJsonForm.text(proposed)), version(key(id)))
                .whenComplete((result, failure) -> control().execute(() -> answered(proposed, result)));
    }

    /** @param result null if the proposal failed */
    private void answered(AgentIdentity proposed, @Nullable ProposalResult result) {
        String id = proposed.id();
        boolean isCommitted = result == ProposalResult.COMMITTED;
        unshared.answered(proposed, isCommitted);
        if (isCommitted && !proposed.equals(values().get(key(id)))) {
            ahead.add(id);
        }
        changeDelayed(id);
        if (!unshared.isEmpty()) {
            retryLater();
        }
        unshared.waiting().stream().limit(1).forEach(this::propose); // a slot is free for another proposal
    }

    private void changeDelayed(String id) {
        AgentIdentity action = delayed.remove(id);
        if (action != null) {
            changed(action);
        }
    }

    private void retryLater() {
        if (!isRetryScheduled) {
            isRetryScheduled = true;
            control()
                    .schedule(
                            () -> {
                                isRetryScheduled = false;
                                unshared.retryFailed();
                                proposeAll();
                            },
                            RETRY);
        }
    }

    // ---- changes from the cluster

    @Override
    void publish() {
        isNewMember = true;
        reconcile();
    }

    @Override
    void adoptAll() {
        reconcile();
    }

    @Override
    void adopt(@Nullable AgentIdentity before, @Nullable AgentIdentity after) {
        AgentIdentity subject = after == null ? before : after;
        if (target == null || subject == null) {
            return;
        }
        String id = subject.id();
        ahead.remove(id);
        if (delayed.containsKey(id)) {
            changeDelayed(id);
            return; // the pending action of this node's operator applies here instead of the other change
        }
        AgentIdentity mine = unshared.find(id);
        if (after == null || mine == null) {
            target.adopt(id, Optional.ofNullable(after), /* isShared= */ true);
            return;
        }
        AgentIdentity merged = mine.mergedInto(after);
        if (merged.equals(after)) {
            unshared.remove(id);
        } else {
            unshared.put(merged);
            retryLater();
        }
        target.adopt(id, Optional.of(merged), /* isShared= */ true);
    }

    @Override
    Optional<AgentIdentity> decode(String key, String text) {
        try {
            return Optional.of(AgentJsonForm.identity(text)).filter(identity -> key.equals(key(identity.id())));
        } catch (IOException e) {
            return Optional.empty(); // another version of Ballast has written the fact
        }
    }

    @Override
    String encode(AgentIdentity value) {
        return AgentJsonForm.text(value);
    }

    @Override
    String subject(String key) {
        return "agent " + key.substring(PREFIX.length());
    }

    @Override
    Origin origin() {
        return Origin.AGENT;
    }
}
