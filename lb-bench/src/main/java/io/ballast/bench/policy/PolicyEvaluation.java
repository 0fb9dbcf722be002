package io.ballast.bench.policy;

import static java.util.Objects.requireNonNull;

import io.ballast.core.config.PoolConfig;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.ScanResult;
import io.ballast.http.net.Workers;
import io.ballast.http.policy.BodyRead;
import io.ballast.http.policy.PolicyChain;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.tls.TlsSessionInfo;
import io.ballast.net.transport.NettyTransport;
import io.ballast.policy.PolicyRegistry;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.work.PolicyServices;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;

/** Evaluates policies for requests without connections. Not thread-safe. Allocates nothing for a request. */
final class PolicyEvaluation implements PolicyExchange.Owner, AutoCloseable {

    static final byte[] CLIENT = {(byte) 192, 0, 2, 1};

    private static final HeadLimits LIMITS = HeadLimits.of(ClientLimits.DEFAULT);

    private final Workers workers =
            Workers.start(NettyTransport.choose(TransportKind.NIO), /* count= */ 1, new SplittableRandom(1));
    private final PolicyExchange exchange = new PolicyExchange(workers.all().get(0), () -> TlsSessionInfo.NONE, this);
    private final Semaphore decided = new Semaphore(0);
    private final PolicyRegistry registry;
    private final PolicyChain chain;
    private RequestScanner request = new RequestScanner();

    /** Creates a chain of all policies. */
    PolicyEvaluation(PolicyServices services, List<PolicyConfig> policies, List<PoolConfig> pools) {
        registry = PolicyRegistry.start(/* eventLoops= */ 1, services, policies, pools);
        chain = requireNonNull(PolicyChain.of(registry.active().all(), "benchmark"));
    }

    static PolicyEvaluation of(PolicyConfig... policies) {
        return new PolicyEvaluation(PolicyServices.NONE, List.of(policies), List.of());
    }

    /** Scans a request head, which consists of these lines. */
    static RequestScanner scan(String... lines) {
        byte[] head = (String.join("\r\n", lines) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] withSlack = Arrays.copyOf(head, head.length + ByteAppender.SLACK);
        RequestScanner scanner = new RequestScanner();
        if (scanner.scan(withSlack, head.length, LIMITS) != ScanResult.COMPLETE) {
            throw new IllegalStateException("the head is not valid");
        }
        return scanner;
    }

    /** Evaluates a request, simulates an immediate response of a backend, and ends the request. */
    PolicyExchange.Outcome evaluate(RequestScanner head, byte[] client) {
        return evaluate(head, client, PolicyExchange.NO_RESPONSE);
    }

    /** @param firstByteNanos the latency of the backend */
    PolicyExchange.Outcome evaluate(RequestScanner head, byte[] client, long firstByteNanos) {
        PolicyExchange.Outcome outcome = begin(head, client);
        end(firstByteNanos);
        return outcome;
    }

    /** Like {@link #evaluate}, but waits for policies that decide later. */
    void evaluateFully(RequestScanner head, byte[] client) throws InterruptedException {
        if (begin(head, client) == PolicyExchange.Outcome.PENDING) {
            decided.acquire();
        }
        end(PolicyExchange.NO_RESPONSE);
    }

    PolicyExchange.Outcome begin(RequestScanner head, byte[] client) {
        request = head;
        return exchange.begin(chain, head, client);
    }

    void end(long firstByteNanos) {
        exchange.end(/* status= */ 200, firstByteNanos, /* wasTunnel= */ false, /* failure= */ null);
    }

    PolicyExchange exchange() {
        return exchange;
    }

    @Override
    public RoutedRequest restoreRequest() {
        return request;
    }

    @Override
    public void readBody(BodyRead read) {
        throw new IllegalStateException("no policy reads a body");
    }

    @Override
    public void policiesDecided(PolicyExchange.Outcome outcome) {
        decided.release();
    }

    @Override
    public void close() {
        registry.close();
        workers.close();
    }
}
