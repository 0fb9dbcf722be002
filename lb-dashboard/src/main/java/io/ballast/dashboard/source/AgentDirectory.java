package io.ballast.dashboard.source;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The agents that report to this node. Thread safety: any thread may call any method. */
public interface AgentDirectory {

    /** Returns all agents in the order of their ids. */
    CompletableFuture<List<Agent>> agents();

    /** Returns all tokens with which agents can register, in the order of the configuration. */
    CompletableFuture<List<Token>> tokens();

    /**
     * Approves an agent for all pools for which it waits; a revoked agent may report again. Completes with the agent;
     * empty if there is none with this id.
     *
     * @param who the author, for the timeline
     */
    CompletableFuture<Optional<Agent>> approve(String id, String who);

    /**
     * Revokes an agent: removes its backends and refuses its requests. Completes when the revocation is stored and the
     * backends get no new requests; empty if there is no agent with this id.
     *
     * @param who the author, for the timeline
     */
    CompletableFuture<Optional<Agent>> revoke(String id, String who);

    /**
     * Revokes a token: no agent can register with it any more. Registered agents stay. Completes with the token; empty if
     * there is none with this name.
     *
     * @param who the author, for the timeline
     */
    CompletableFuture<Optional<Token>> revokeToken(String name, String who);

    /**
     * Creates a token. Completes with the token; fails with {@link IllegalArgumentException} if a parameter is not
     * valid.
     *
     * @param hash the SHA-256 of the token, as hexadecimal digits
     * @param pools the pools for which agents can register with the token
     * @param expires the end of its validity
     * @param who the author, for the timeline
     */
    CompletableFuture<Optional<Token>> createToken(
            String name, String hash, List<String> pools, Optional<Instant> expires, String who);

    /** Returns the current counts at low cost. */
    Counts counts();

    /**
     * An agent.
     *
     * @param status {@code approved}, {@code pending} or {@code revoked}
     * @param token the name of the token with which the agent registered last
     * @param pools the pools to which the agent may add backends
     * @param pendingPools the pools for which the agent waits for approval
     * @param client the address from which the agent reported last; empty before the first report
     * @param created when the agent registered for the first time
     * @param lastReport the time of the last report since the start of the process
     * @param isStale whether the agent has sent no report for too long
     * @param isCommitted false if the cluster has not committed the last change, so that it applies only to this node
     */
    record Agent(
            String id,
            String status,
            String token,
            List<String> pools,
            List<String> pendingPools,
            String client,
            Instant created,
            Optional<Instant> lastReport,
            boolean isStale,
            List<Backend> backends,
            boolean isCommitted) {

        public Agent {
            pools = List.copyOf(pools);
            pendingPools = List.copyOf(pendingPools);
            backends = List.copyOf(backends);
        }

        /** Returns a copy whose last change applies to this node only. */
        public Agent uncommitted() {
            return new Agent(
                    id,
                    status,
                    token,
                    pools,
                    pendingPools,
                    client,
                    created,
                    lastReport,
                    isStale,
                    backends,
                    /* isCommitted= */ false);
        }
    }

    /**
     * A backend that an agent reports.
     *
     * @param state the reported state: {@code up}, {@code down} or {@code drain}
     * @param reason the reason for the state
     * @param weight the weight without regard to the load
     * @param wantedPercent the share of the weight that the agent requests because of the load
     * @param usedPercent the share of the weight that the node uses
     */
    record Backend(
            String pool, String address, String state, String reason, int weight, int wantedPercent, int usedPercent) {}

    /**
     * A token with which agents can register.
     *
     * @param pools the pools for which agents can register with the token
     * @param expires the end of its validity
     * @param status whether the token is valid, expired or revoked, as a word of the API
     * @param agents the number of agents that last registered with this token and are not revoked
     * @param isCommitted false if the cluster has not committed the last change, so that it applies only to this node
     */
    record Token(
            String name,
            List<String> pools,
            Optional<Instant> expires,
            String status,
            int agents,
            boolean isCommitted) {
        public Token {
            pools = List.copyOf(pools);
        }

        /** Returns a copy whose last change applies to this node only. */
        public Token uncommitted() {
            return new Token(name, pools, expires, status, agents, /* isCommitted= */ false);
        }
    }

    /**
     * The current numbers of agents, backends and reports.
     *
     * @param agents agents that are neither revoked nor stale
     * @param stale agents that have not reported for too long
     * @param pending agents that wait for approval
     * @param backends backends of all agents
     * @param reduced backends whose weight is reduced because of their load
     * @param reports reports since the start
     * @param refused requests from agents that this node has refused since the start
     * @param latencies round-trip times of client networks that agents have reported since the start
     */
    record Counts(
            int agents, int stale, int pending, int backends, int reduced, long reports, long refused, long latencies) {
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);
    }
}
