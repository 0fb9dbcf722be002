package io.ballast.agent.registry;

/** Receives the changes of a registry, on its thread. */
public interface RegistryListener {

    /** The backends or their states have changed; see {@link AgentRegistry#backends}. */
    void onBackendsChanged();

    /** The state that must survive a restart has changed; see {@link AgentRegistry#saved}. */
    void onStateChanged();

    /** An event for operators. */
    void onEvent(String subject, String text);

    /** An agent has registered, or has used its registration again after a long time. */
    default void onRegistered(AgentIdentity identity) {}

    /** An operator has approved or revoked an agent, or the agent has replaced its secret. */
    default void onIdentityChanged(AgentIdentity identity) {}

    /** The registration of an agent was dropped, because it was not used for a long time. */
    default void onDropped(String id) {}

    /** An operator has created or revoked a token. */
    default void onTokenChanged(RuntimeToken token) {}
}
