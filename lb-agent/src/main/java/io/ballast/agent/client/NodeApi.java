package io.ballast.agent.client;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The API of one node for this agent. Each future completes with the response, or exceptionally if there is none.
 * Thread safety: any thread may call any method; the futures are completed by any thread.
 */
interface NodeApi {

    /**
     * A response from the node.
     *
     * @param status the HTTP status
     * @param detail the reason for a refusal; empty for status 200
     * @param retryAfter how long the agent has to wait before the next request; zero if the node requests no wait
     * @param body the fields of the document; empty if there is none
     */
    record Reply(int status, String detail, Duration retryAfter, Map<String, Object> body) {
        boolean isOk() {
            return status == 200;
        }
    }

    /** Registers the agent with its token. */
    CompletableFuture<Reply> register();

    /** Sends a report. */
    CompletableFuture<Reply> report(byte[] document);

    /**
     * Repeats the last report.
     *
     * @param document the report that the node has accepted
     */
    CompletableFuture<Reply> repeat(byte[] document);

    /** Sends the round-trip times of clients. */
    CompletableFuture<Reply> latency(byte[] document);

    /**
     * Requests the commands of operators.
     *
     * @param known the version that this agent knows; empty if it knows none
     * @param wait how long the node may wait for a change
     */
    CompletableFuture<Reply> commands(String known, Duration wait);

    /** Removes the backends of the agent. */
    CompletableFuture<Reply> deregister();
}
