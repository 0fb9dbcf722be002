package io.ballast.http.policy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.relay.Failure;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.tls.TlsSessionInfo;
import io.ballast.net.transport.NettyTransport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the end of requests whose policies decide later. */
class PolicyExchangeTest implements PolicyExchange.Owner {

    private static final byte[] CLIENT = {127, 0, 0, 1};

    private final Workers workers =
            Workers.start(NettyTransport.choose(TransportKind.NIO), /* count= */ 1, new SplittableRandom(1));
    private final Worker worker = workers.all().get(0);
    private final PolicyExchange exchange = new PolicyExchange(worker, () -> TlsSessionInfo.NONE, this);
    private final RequestScanner request = scan();
    private final CompletableFuture<PolicyDecision> pending = new CompletableFuture<>();
    private final TestPolicy waiting =
            new TestPolicy("waiting", Phase.CONCURRENCY, evaluated -> new PendingDecision(pending));
    private final List<PolicyExchange.Outcome> outcomes = new ArrayList<>();

    private static RequestScanner scan() {
        byte[] head = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        RequestScanner scanner = new RequestScanner();
        scanner.scan(Arrays.copyOf(head, head.length + Long.BYTES), head.length, HeadLimits.of(ClientLimits.DEFAULT));
        return scanner;
    }

    @Override
    public RoutedRequest restoreRequest() {
        return request;
    }

    @Override
    public void readBody(BodyRead read) {
        read.result().complete(RequestBody.EMPTY);
    }

    @Override
    public void policiesDecided(PolicyExchange.Outcome outcome) {
        outcomes.add(outcome);
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private PolicyExchange.Outcome begin(NamedPolicy... policies) {
        PolicyChain chain = requireNonNull(PolicyChain.of(Arrays.asList(policies), "route"));
        return exchange.begin(chain, request, CLIENT);
    }

    private void end(int status, Failure failure) {
        exchange.end(status, PolicyExchange.NO_RESPONSE, /* wasTunnel= */ false, failure);
    }

    private void onLoop(Runnable task) throws Exception {
        worker.eventLoop().submit(task).get();
    }

    @Test
    void policyThatPassesAsTheRequestEndsIsNotified() throws Exception {
        onLoop(() -> {
            assertThat(begin(waiting.named())).isEqualTo(PolicyExchange.Outcome.PENDING);
            pending.complete(PolicyDecision.PASS); // if the request did not end, it would continue in a later task
            end(/* status= */ 0, Failure.CLIENT_GONE);
        });
        onLoop(() -> {});

        assertThat(waiting.ends()).containsExactly(0);
        assertThat(outcomes).isEmpty();
    }

    @Test
    void policyThatHasNotDecidedIsNotNotified() throws Exception {
        onLoop(() -> {
            begin(waiting.named());
            end(/* status= */ 0, Failure.CLIENT_GONE);
        });

        assertThat(pending).isCancelled();
        assertThat(waiting.ends()).isEmpty();
    }

    @Test
    void futureCompletesAfterTheTimeOrBefore() throws Exception {
        Refusal refusal = new Refusal(503, "late", "");
        List<CompletableFuture<Continuation>> futures = new ArrayList<>();
        onLoop(() -> {
            begin(waiting.named());
            futures.add(exchange.later(/* nanos= */ 1, refusal));
            futures.add(exchange.later(TimeUnit.DAYS.toNanos(1), refusal));
        });
        futures.get(1).complete(PolicyDecision.PASS);

        assertThat(futures.get(0).get()).isEqualTo(refusal);
        assertThat(futures.get(1).get()).isEqualTo(PolicyDecision.PASS);
    }

    @Test
    void failureOfTheBackendIsKnownAtTheEnd() throws Exception {
        List<Boolean> failures = new ArrayList<>();
        TestPolicy passing = new TestPolicy("passing", Phase.CONCURRENCY, evaluated -> PolicyDecision.PASS);
        passing.onEnd(ended -> failures.add(ended.isBackendFailure()));
        onLoop(() -> {
            for (Failure failure : List.of(
                    Failure.CONNECT_REFUSED, Failure.EXCHANGE_TIMEOUT, Failure.CLIENT_GONE, Failure.POLICY_REFUSED)) {
                begin(passing.named());
                end(/* status= */ 0, failure);
            }
        });

        assertThat(failures).containsExactly(true, true, false, false);
    }

    @Test
    void dryRunDoesNotChooseTheFallback() throws Exception {
        TestPolicy choosing = new TestPolicy("choosing", Phase.CONCURRENCY, evaluated -> {
            evaluated.useFallback();
            return PolicyDecision.PASS;
        });
        onLoop(() -> {
            begin(choosing.dryRun());
            assertThat(exchange.usesFallback()).isFalse();
            end(/* status= */ 200, Failure.CLIENT_GONE);
            begin(choosing.named());
            assertThat(exchange.usesFallback()).isTrue();
            end(/* status= */ 200, Failure.CLIENT_GONE);
            begin(waiting.named());
            assertThat(exchange.usesFallback()).isFalse();
        });
    }
}
