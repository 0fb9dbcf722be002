package io.ballast.core.config.agent;

/** Who approves an agent after its first registration. */
public enum AgentApproval {
    /** The token suffices. */
    AUTO,
    /** An operator has to approve each agent. */
    MANUAL
}
