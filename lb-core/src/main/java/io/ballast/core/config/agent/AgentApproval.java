package io.ballast.core.config.agent;

/** How an agent is approved after its first registration. */
public enum AgentApproval {
    /** A valid token is sufficient. */
    AUTO,
    /** An operator has to approve each agent. */
    MANUAL
}
