package io.ballast.http.policy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.head.HeadLimits;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.net.Workers;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.net.tls.TlsSessionInfo;
import io.ballast.net.transport.NettyTransport;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which refusals are remembered, and what is known about them. */
class RecentRefusalsTest implements PolicyExchange.Owner {

    private static final long NOW = -TimeUnit.SECONDS.toNanos(5); // System.nanoTime may be negative
    private static final byte[] CLIENT = {(byte) 192, 0, 2, 9};
    private static final Refusal LIMITED = new Refusal(429, "rate_limited", "too many requests");

    private final Workers workers =
            Workers.start(NettyTransport.choose(TransportKind.NIO), /* count= */ 1, new SplittableRandom(1));
    private final Worker worker = workers.all().get(0);
    private final PolicyExchange exchange = new PolicyExchange(worker, () -> TlsSessionInfo.NONE, this);
    private RequestScanner request = scan("GET / HTTP/1.1");

    private static RequestScanner scan(String requestLine) {
        byte[] head = (requestLine + "\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
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
        throw new IllegalStateException("no policy reads a body");
    }

    @Override
    public void policiesDecided(PolicyExchange.Outcome outcome) {
        throw new IllegalStateException("no policy decides later");
    }

    @AfterEach
    void stop() {
        workers.close();
    }

    private void evaluate(String requestLine, NamedPolicy... policies) throws Exception {
        request = scan(requestLine);
        worker.eventLoop()
                .submit(() -> {
                    PolicyChain chain = requireNonNull(PolicyChain.of(List.of(policies), "web /shop"));
                    exchange.begin(chain, request, CLIENT);
                    exchange.end(429, PolicyExchange.NO_RESPONSE, /* wasTunnel= */ false, /* failure= */ null);
                })
                .get();
    }

    private static NamedPolicy limit(PolicyDecision decision) {
        return new TestPolicy("limit", Phase.IDENTITY_LIMIT, evaluated -> decision).named();
    }

    @Test
    void refusalHasItsRequestWithoutQuery() throws Exception {
        NamedPolicy limit = limit(LIMITED);
        NamedPolicy login = new TestPolicy("login", Phase.IDENTITY, evaluated -> {
                    evaluated.setIdentity(new Identity("ann"));
                    return PolicyDecision.PASS;
                })
                .named();
        Instant before = Instant.now().minusSeconds(1);
        evaluate("POST /login?password=secret HTTP/1.1", limit, login);

        assertThat(login.refusals().newest(10)).isEmpty();
        assertThat(limit.refusals().newest(10)).singleElement().satisfies(refusal -> {
            assertThat(refusal.client()).isEqualTo("192.0.2.9");
            assertThat(refusal.identity()).isEqualTo("ann");
            assertThat(refusal.route()).isEqualTo("web /shop");
            assertThat(refusal.method()).isEqualTo("POST");
            assertThat(refusal.path()).isEqualTo("/login");
            assertThat(refusal.status()).isEqualTo(429);
            assertThat(refusal.reason()).isEqualTo("rate_limited");
            assertThat(refusal.isDryRun()).isFalse();
            assertThat(refusal.time()).isAfter(before);
        });
    }

    @Test
    void dryRunIsMarked() throws Exception {
        NamedPolicy dry = new TestPolicy("limit", Phase.CLIENT_LIMIT, evaluated -> LIMITED).dryRun();
        evaluate("GET /a HTTP/1.1", dry);

        assertThat(dry.refusals().newest(10))
                .singleElement()
                .satisfies(refusal -> assertThat(refusal.isDryRun()).isTrue());
    }

    @Test
    void errorOfAnAuthenticationServiceIsARefusal() throws Exception {
        NamedPolicy denied = limit(new DirectResponse(401, "forward_auth"));
        NamedPolicy redirecting = limit(new DirectResponse(302, "forward_auth"));
        evaluate("GET /a HTTP/1.1", denied);
        evaluate("GET /a HTTP/1.1", redirecting);

        assertThat(denied.refusals().newest(10)).singleElement().satisfies(refusal -> {
            assertThat(refusal.status()).isEqualTo(401);
            assertThat(refusal.reason()).isEqualTo("forward_auth");
        });
        assertThat(redirecting.refusals().newest(10)).isEmpty();
    }

    @Test
    void longPathIsTruncated() throws Exception {
        NamedPolicy limit = limit(LIMITED);
        evaluate("GET /" + "a".repeat(255) + " HTTP/1.1", limit);
        evaluate("GET /" + "a".repeat(256) + " HTTP/1.1", limit);

        assertThat(limit.refusals().newest(10))
                .extracting(RecentRefusal::path)
                .containsExactly("/" + "a".repeat(255) + "[...]", "/" + "a".repeat(255));
    }

    @Test
    void newestRefusalsReplaceOldest() throws Exception {
        NamedPolicy limit = limit(LIMITED);
        for (int i = 0; i < RecentRefusals.CAPACITY + 5; i++) {
            request = scan("GET /" + i + " HTTP/1.1");
            worker.eventLoop()
                    .submit(() -> {
                        PolicyChain chain = requireNonNull(PolicyChain.of(List.of(limit), "route"));
                        exchange.begin(chain, request, CLIENT);
                        limit.refusals().add(RecentRefusal.of(exchange, 429, "test", /* dryRun= */ false));
                    })
                    .get();
        }

        List<RecentRefusal> newest = limit.refusals().newest(1000);
        assertThat(newest).hasSize(RecentRefusals.CAPACITY);
        assertThat(newest.get(0).path()).isEqualTo("/" + (RecentRefusals.CAPACITY + 4));
        assertThat(limit.refusals().newest(3)).isEqualTo(newest.subList(0, 3));
    }

    @Test
    void floodIsSampled() {
        RecentRefusals refusals = new RecentRefusals(NOW);
        int accepted = 0;
        for (int milli = 0; milli < 3000; milli++) {
            accepted += refusals.accepts(NOW + TimeUnit.MILLISECONDS.toNanos(milli)) ? 1 : 0;
        }

        assertThat(accepted).isEqualTo(RecentRefusals.CAPACITY + 29); // 10 in each second after the burst
        assertThat(refusals.accepts(NOW + TimeUnit.MINUTES.toNanos(1))).isTrue();
    }
}
