package io.ballast.agent.registry;

/**
 * Thrown when a request of an agent is refused. The message is sent to the agent. The exception has no stack trace,
 * because a refusal is a normal result.
 */
public final class AgentRefusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** The kind of a refusal. */
    public enum Kind {
        /** The token or the secret is wrong, expired or revoked. */
        UNAUTHORIZED,
        /** There is no agent with this id; the agent has to register first. */
        UNKNOWN,
        /** An operator has revoked the agent. */
        REVOKED,
        /** Another agent has the id. */
        CONFLICT,
        /** The agent repeats a report that the node does not have. */
        OUTDATED,
        /** The request is invalid. */
        INVALID,
        /** A limit of this node is reached. */
        FULL
    }

    private final Kind kind;

    AgentRefusal(Kind kind, String message) {
        super(message, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }

    /** Returns the text for the agent. */
    public String text() {
        return String.valueOf(getMessage());
    }
}
