package io.ballast.agent.registry;

import java.util.List;

/**
 * The state of a node that survives a restart. Immutable.
 *
 * @param revokedTokens the hashes of the revoked tokens, as hexadecimal digits
 */
public record SavedAgents(List<SavedAgent> agents, List<String> revokedTokens) {

    /** The state of a node without agents. */
    public static final SavedAgents EMPTY = new SavedAgents(List.of(), List.of());

    public SavedAgents {
        agents = List.copyOf(agents);
        revokedTokens = List.copyOf(revokedTokens);
    }

    /**
     * An agent.
     *
     * @param backends the backends of its last report that have joined their pools
     */
    public record SavedAgent(AgentIdentity identity, List<ReportedBackend> backends) {
        public SavedAgent {
            backends = List.copyOf(backends);
        }
    }
}
