package io.ballast.agent.registry;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Replaces the agents and tokens of a registry with those of the cluster. Confined to the thread of the registry. */
public final class AgentAdoption {

    private final AgentTable agents;
    private final RuntimeTokens tokens;
    private final LongSupplier nanoTime;
    private final RegistryListener listener;

    AgentAdoption(AgentTable agents, RuntimeTokens tokens, LongSupplier nanoTime, RegistryListener listener) {
        this.agents = agents;
        this.tokens = tokens;
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    /** Returns the agents of this node. The value of an agent is true if the cluster has agreed on it. */
    public Map<AgentIdentity, Boolean> identities() {
        Map<AgentIdentity, Boolean> all = new LinkedHashMap<>();
        agents.all().forEach(entry -> all.put(entry.identity(), entry.isShared()));
        return all;
    }

    /** Returns the tokens that were created or revoked at run time. */
    public List<RuntimeToken> tokens() {
        return List.copyOf(tokens.all());
    }

    /**
     * Replaces an agent of this node with the agent of the cluster. If the agent is revoked or unknown in the cluster,
     * its backends are removed.
     *
     * @param identity empty if the cluster has no such agent
     * @param isShared whether the cluster has agreed on this identity
     */
    public void adopt(String id, Optional<AgentIdentity> identity, boolean isShared) {
        AgentEntry known = agents.find(id);
        if (identity.isEmpty()) {
            if (known != null) {
                boolean unused = agents.removeAll(known);
                agents.drop(known);
                listener.onEvent("agent " + id, "removed by the cluster");
                notifyChanged();
            }
            return;
        }
        AgentEntry entry = known == null ? new AgentEntry(identity.get(), nanoTime.getAsLong()) : known;
        if (known == null) {
            agents.add(entry);
        }
        boolean changed = known == null
                || entry.isShared() != isShared
                || !entry.identity().equals(identity.get());
        String before = known == null ? "" : known.identity().status();
        entry.identity(identity.get());
        entry.setShared(isShared);
        if (!identity.get().status().equals(before)) {
            listener.onEvent("agent " + id, identity.get().status() + " on another node");
        }
        boolean removed = false;
        for (BackendKey each : List.copyOf(entry.backends().keySet())) {
            if (identity.get().isRevoked() || !identity.get().pools().contains(each.pool())) {
                agents.remove(entry, each);
                removed = true;
            }
        }
        if (removed) {
            notifyChanged();
        } else if (changed) {
            listener.onStateChanged();
        }
    }

    /** Replaces a token of this node with the token of the cluster; removes it if {@code token} is empty. */
    public void adoptToken(String hash, Optional<RuntimeToken> token) {
        if (tokens.adopt(hash, token.orElse(null))) {
            listener.onStateChanged();
        }
    }

    private void notifyChanged() {
        listener.onBackendsChanged();
        listener.onStateChanged();
    }
}
