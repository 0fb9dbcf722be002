package io.ballast.policy.forward;

import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.ForwardAuthConfig;
import io.ballast.policy.work.SlowWork;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * Asks an authentication server about each request. A 2xx answer lets the request pass, with headers of the answer; any
 * other answer is sent to the client. Without an answer, the request is refused with 503.
 *
 * <p>Thread safety: all methods may be called concurrently. Cost: the event loop composes the request to the server and
 * copies the header lines of its answer; other threads do the rest.
 */
public final class ForwardAuthPolicy implements Policy {

    private final List<String> copiedHeaders;
    private final AuthRequestComposer composer;
    private final AuthClient client;

    /** @param nanoTime the monotonic clock, for the rate of log messages */
    public ForwardAuthPolicy(ForwardAuthConfig config, LongSupplier nanoTime) {
        this.copiedHeaders = config.copyHeaders();
        this.composer = new AuthRequestComposer(config);
        this.client = new AuthClient(config, nanoTime);
    }

    @Override
    public Phase phase() {
        return Phase.IDENTITY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        CompletableFuture<AuthAnswer> answer = client.send(() -> composer.compose(exchange));
        return answer == null ? SlowWork.BUSY : new PendingDecision(answer);
    }

    @Override
    public List<String> requestHeaders() {
        return copiedHeaders;
    }

    @Override
    public void close() {
        client.close();
    }
}
