package io.ballast.agent.node;

import io.ballast.agent.registry.AgentBackends;
import io.ballast.agent.registry.BackendKey;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The pools and backends of the node. Thread safety: any thread may call any method. */
public interface NodeBackends {

    /** Returns the current settings of the pools to which agents may add backends. */
    Map<String, PoolAgents> pools();

    /** Returns whether checks of this node find a backend up; false for a backend without checks. */
    boolean checksSucceed(BackendKey key);

    /** Returns the state that operators have set for a backend: {@code serve}, {@code drain} or {@code maintenance}. */
    String wanted(BackendKey key);

    /**
     * Applies the backends of all agents, which replace the previous backends. Completes when the removed backends get
     * no new requests.
     */
    CompletableFuture<Void> apply(AgentBackends backends);

    /** Adds the round-trip times of clients that an agent has measured. */
    void learn(List<RoundTrip> times);

    /** Records an event for operators. */
    void record(String subject, String text);
}
