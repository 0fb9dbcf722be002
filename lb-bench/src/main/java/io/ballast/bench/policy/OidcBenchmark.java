package io.ballast.bench.policy;

import static java.util.Objects.requireNonNull;

import io.ballast.core.hash.SipHash24;
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
import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcCookie;
import io.ballast.policy.config.oidc.OidcPages;
import io.ballast.policy.config.oidc.OidcSecret;
import io.ballast.policy.oidc.provider.UserGrant;
import io.ballast.policy.oidc.session.CookieCipher;
import io.ballast.policy.oidc.session.SessionContent;
import io.ballast.policy.oidc.session.SessionCookies;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Evaluates the OIDC policy for requests with {@value #SESSIONS} known sessions in turn, with one claim as a header. The
 * target is 2 µs; {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar OidcBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class OidcBenchmark implements PolicyExchange.Owner {

    private static final int SESSIONS = 1_000;
    private static final HeadLimits LIMITS = HeadLimits.of(ClientLimits.DEFAULT);
    private static final byte[] CLIENT = {127, 0, 0, 1};
    private static final List<OidcSecret> SECRETS =
            List.of(new OidcSecret("a secret of more than thirty-two characters"));

    /** The length of the ID token in the session: with 3000 characters, a session has two cookies. */
    @Param({"1000", "3000"})
    public int idToken;

    private final Workers workers =
            Workers.start(NettyTransport.choose(TransportKind.NIO), /* count= */ 1, new SplittableRandom(1));
    private final PolicyExchange exchange = new PolicyExchange(workers.all().get(0), () -> TlsSessionInfo.NONE, this);
    private final RequestScanner[] requests = new RequestScanner[SESSIONS];
    private final OidcConfig config = config();
    private final PolicyRegistry registry =
            PolicyRegistry.start(/* eventLoops= */ 1, List.of(new PolicyConfig("sso", config, /* dryRun= */ false)));
    private final PolicyChain chain =
            requireNonNull(PolicyChain.of(registry.active().all(), "benchmark"));
    private int next;

    private static OidcConfig config() {
        OidcClient client = new OidcClient(
                "http://127.0.0.1:9", // nothing listens here: known sessions need no provider
                /* allowHttp= */ false,
                "shop",
                Optional.empty(),
                Optional.empty(),
                OidcClient.DEFAULT_SCOPES);
        return new OidcConfig(
                client,
                OidcPages.DEFAULT,
                OidcCookie.DEFAULT.withSecrets(SECRETS),
                Map.of(),
                Map.of("X-User", "email"),
                "email",
                Duration.ofHours(8));
    }

    /** Decrypts each session once, so that it is in the cache. */
    @Setup
    public void createSessions() {
        SessionCookies cookies = new SessionCookies(
                config, new CookieCipher(SECRETS, new SecureRandom()), new SipHash24(1, 2), System::currentTimeMillis);
        for (int i = 0; i < SESSIONS; i++) {
            requests[i] = scan(cookie(cookies, i));
        }
        for (int i = 0; i < 2 * SESSIONS; i++) {
            if (evaluate() != PolicyExchange.Outcome.PASSED) {
                throw new IllegalStateException("a session is not valid");
            }
        }
    }

    private String cookie(SessionCookies cookies, int number) {
        long now = System.currentTimeMillis();
        UserGrant grant = new UserGrant(
                Map.of("sub", "user" + number, "email", "user" + number + "@id.example"),
                "t".repeat(idToken),
                "refresh-token-of-user-" + number,
                now + Duration.ofHours(7).toMillis());
        SessionContent content = new SessionContent(
                "session-" + number, now, now + Duration.ofHours(8).toMillis(), grant);
        String lines = new String(cookies.lines(content, /* https= */ false).orElseThrow(), StandardCharsets.US_ASCII);
        return lines.lines()
                .filter(line -> !line.contains("Max-Age=0"))
                .map(line -> line.substring("Set-Cookie: ".length(), line.indexOf(';')))
                .collect(Collectors.joining("; "));
    }

    private static RequestScanner scan(String cookie) {
        byte[] head = ("GET /orders HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: benchmark\r\nAccept: */*\r\n"
                        + "Cookie: theme=dark; " + cookie + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        RequestScanner scanner = new RequestScanner();
        byte[] withSlack = Arrays.copyOf(head, head.length + ByteAppender.SLACK);
        if (scanner.scan(withSlack, head.length, LIMITS) != ScanResult.COMPLETE) {
            throw new IllegalStateException("the head is not valid");
        }
        return scanner;
    }

    @Benchmark
    public PolicyExchange.Outcome evaluate() {
        next = next + 1 == SESSIONS ? 0 : next + 1;
        PolicyExchange.Outcome outcome = exchange.begin(chain, requests[next], CLIENT);
        exchange.end(/* status= */ 200, PolicyExchange.NO_RESPONSE, /* wasTunnel= */ false, /* failure= */ null);
        return outcome;
    }

    @Override
    public void readBody(BodyRead read) {
        throw new IllegalStateException("no policy reads a body");
    }

    @Override
    public RoutedRequest restoreRequest() {
        return requests[next];
    }

    @Override
    public void policiesDecided(PolicyExchange.Outcome outcome) {
        throw new IllegalStateException("a decision was pending");
    }

    @TearDown
    public void close() {
        registry.close();
        workers.close();
    }
}
