package io.ballast.agent.node;

import io.ballast.agent.registry.AgentIdentity;
import io.ballast.agent.registry.RuntimeToken;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shares the agents and tokens of this node with the other nodes of a cluster. A change has already taken effect on
 * this node when it is passed to this object. Thread safety: any thread may call any method; none blocks.
 */
public interface AgentSharing {

    /** Shares nothing: this process is in no cluster. */
    AgentSharing NONE = new AgentSharing() {

        @Override
        public void start(Target target, Map<AgentIdentity, Boolean> identities, List<RuntimeToken> tokens) {}

        @Override
        public void registered(AgentIdentity identity) {}

        @Override
        public void changed(AgentIdentity identity) {}

        @Override
        public void dropped(String id) {}

        @Override
        public void tokenChanged(RuntimeToken token) {}
    };

    /**
     * Begins to share. Called once, before the other methods.
     *
     * @param target receives the decisions of the cluster
     * @param identities the agents of this node; the value of an agent is true if the cluster has agreed on it
     * @param tokens the tokens that this node has created or revoked
     */
    void start(Target target, Map<AgentIdentity, Boolean> identities, List<RuntimeToken> tokens);

    /** Called when an agent has registered on this node. It is shared as soon as the cluster can agree on it. */
    void registered(AgentIdentity identity);

    /** Called when an operator of this node has approved or revoked an agent, or the agent has replaced its secret. */
    void changed(AgentIdentity identity);

    /** Called when the registration of an agent was dropped, because it was not used for a long time. */
    void dropped(String id);

    /** Called when an operator of this node has created or revoked a token. */
    void tokenChanged(RuntimeToken token);

    /**
     * Applies the decisions of the cluster to the agents and tokens of this node. Thread safety: any thread may call
     * any method; none blocks.
     */
    interface Target {

        /** Replaces an agent, like {@link io.ballast.agent.registry.AgentAdoption#adopt}. */
        void adopt(String id, Optional<AgentIdentity> identity, boolean isShared);

        /** Replaces a token, like {@link io.ballast.agent.registry.AgentAdoption#adoptToken}. */
        void adoptToken(String hash, Optional<RuntimeToken> token);
    }
}
