package io.ballast.agent.registry;

/** Receives the changes of a registry, on its thread. */
public interface RegistryListener {

    /** Called when the backends or their states have changed; see {@link AgentRegistry#backends}. */
    void onBackendsChanged();

    /** Called when the state that must survive a restart has changed; see {@link AgentRegistry#saved}. */
    void onStateChanged();

    /** Called for each event that operators should see. */
    void onEvent(String subject, String text);

    /** Called when an agent has registered, or has used its registration again after a long time. */
    default void onRegistered(AgentIdentity identity) {}

    /** Called when an operator has approved or revoked an agent, or the agent has replaced its secret. */
    default void onIdentityChanged(AgentIdentity identity) {}

    /** Called when the registration of an agent was dropped, because it was not used for a long time. */
    default void onDropped(String id) {}

    /** Called when an operator has created or revoked a token. */
    default void onTokenChanged(RuntimeToken token) {}
}
