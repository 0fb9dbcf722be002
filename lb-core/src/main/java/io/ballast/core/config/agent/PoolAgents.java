package io.ballast.core.config.agent;

import io.ballast.core.Checks;
import java.util.List;

/**
 * The agents that may add backends to a pool.
 *
 * @param tokens the tokens for the first registration of an agent; operators can create further tokens at run time
 * @param maxBackends the largest number of backends that agents may add to the pool
 * @param approval how new agents are approved
 * @param maxDrainedPercent the largest share of the backends of agents whose weight may be reduced at the same time
 *     because of their load
 */
public record PoolAgents(List<AgentToken> tokens, int maxBackends, AgentApproval approval, int maxDrainedPercent) {

    /**
     * The maximum number of tokens. This is enough for several groups of agents with two tokens each: the old token and
     * its replacement.
     */
    public static final int MAX_TOKENS = 32;

    public static final int DEFAULT_MAX_BACKENDS = 1_000;
    public static final int LARGEST_MAX_BACKENDS = 10_000;
    public static final AgentApproval DEFAULT_APPROVAL = AgentApproval.AUTO;
    public static final int DEFAULT_MAX_DRAINED_PERCENT = 50;

    public PoolAgents {
        tokens = List.copyOf(tokens);
        Checks.between(tokens.size(), 0, MAX_TOKENS, "tokens");
        Checks.between(maxBackends, 1, LARGEST_MAX_BACKENDS, "max_backends");
        Checks.between(maxDrainedPercent, 0, 100, "max_drained");
    }

    /** Creates agents with the default limits. */
    public PoolAgents(List<AgentToken> tokens) {
        this(tokens, DEFAULT_MAX_BACKENDS, DEFAULT_APPROVAL, DEFAULT_MAX_DRAINED_PERCENT);
    }
}
