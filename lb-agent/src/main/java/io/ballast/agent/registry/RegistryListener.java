package io.ballast.agent.registry;

/** Receives the changes of a registry, on its thread. */
public interface RegistryListener {

    /** The backends or their states have changed; see {@link AgentRegistry#backends}. */
    void onBackendsChanged();

    /** The state that must survive a restart has changed; see {@link AgentRegistry#saved}. */
    void onStateChanged();

    /** An event for operators. */
    void onEvent(String subject, String text);
}
