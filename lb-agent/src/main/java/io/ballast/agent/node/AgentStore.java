package io.ballast.agent.node;

import io.ballast.agent.registry.SavedAgents;
import java.util.concurrent.CompletableFuture;

/**
 * Stores the agents of a node, so that they survive a restart. Thread safety: any thread may call any method.
 */
public interface AgentStore {

    /** Returns the stored agents; none if nothing is stored, or if it cannot be read. */
    SavedAgents read();

    /** Replaces the stored agents. Completes when they are stored, exceptionally if they cannot be stored. */
    CompletableFuture<Void> write(SavedAgents agents);
}
