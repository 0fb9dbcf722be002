package io.ballast.bench.policy;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.PolicyExchange;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
public class OidcBenchmark {

    private static final int SESSIONS = 1_000;
    private static final List<OidcSecret> SECRETS =
            List.of(new OidcSecret("a secret of more than thirty-two characters"));

    /** The length of the ID token in the session: with 3000 characters, a session has two cookies. */
    @Param({"1000", "3000"})
    public int idToken;

    private final RequestScanner[] requests = new RequestScanner[SESSIONS];
    private final OidcConfig config = config();
    private final PolicyEvaluation policies = PolicyEvaluation.of(new PolicyConfig("sso", config, /* dryRun= */ false));
    private int next;

    private static OidcConfig config() {
        OidcClient client = new OidcClient(
                "http://127.0.0.1:9", // No server listens at this URL: known sessions need no provider
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
        return PolicyEvaluation.scan(
                "GET /orders HTTP/1.1",
                "Host: shop.example",
                "User-Agent: benchmark",
                "Accept: */*",
                "Cookie: theme=dark; " + cookie);
    }

    @Benchmark
    public PolicyExchange.Outcome evaluate() {
        next = next + 1 == SESSIONS ? 0 : next + 1;
        return policies.evaluate(requests[next], PolicyEvaluation.CLIENT);
    }

    @TearDown
    public void close() {
        policies.close();
    }
}
