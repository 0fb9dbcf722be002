package io.ballast.agent.registry;

import java.util.List;

/**
 * The state of a node that survives a restart. Immutable.
 *
 * @param tokens the tokens that operators have created or revoked at run time
 */
public record SavedAgents(List<SavedAgent> agents, List<RuntimeToken> tokens) {

    /** The state of a node without agents. */
    public static final SavedAgents EMPTY = new SavedAgents(List.of(), List.of());

    public SavedAgents {
        agents = List.copyOf(agents);
        tokens = List.copyOf(tokens);
    }

    /**
     * An agent.
     *
     * @param isShared whether the cluster has agreed on the identity, or on an earlier form of it
     * @param backends the backends of its last report that have joined their pools
     */
    public record SavedAgent(AgentIdentity identity, boolean isShared, List<ReportedBackend> backends) {
        public SavedAgent {
            backends = List.copyOf(backends);
        }
    }
}
