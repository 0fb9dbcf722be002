package io.ballast.bench.policy;

import io.ballast.http.head.RequestScanner;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.jwt.JwtClaimRules;
import io.ballast.policy.config.jwt.JwtConfig;
import io.ballast.policy.config.jwt.JwtKeySource;
import io.ballast.policy.config.jwt.JwtSecret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Evaluates the JWT policy for requests with {@value #TOKENS} known tokens of about 600 bytes in turn, with one claim as
 * a header. The target is 1 µs; {@code gc.alloc.rate.norm} is 0 B/op.
 *
 * <pre>
 *   ./mvnw -q -pl lb-bench -am package -DskipTests
 *   java -jar lb-bench/target/benchmarks.jar JwtBenchmark -prof gc
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class JwtBenchmark {

    private static final int TOKENS = 1_000;
    private static final String SECRET = "a secret of more than thirty-two bytes";

    private final PolicyEvaluation policies = PolicyEvaluation.of(config());
    private final RequestScanner[] requests = new RequestScanner[TOKENS];
    private int next;

    private static PolicyConfig config() {
        JwtClaimRules claims =
                new JwtClaimRules(List.of("https://id.example"), List.of("api"), List.of(), Duration.ZERO, Map.of());
        JwtConfig config = JwtConfig.of(
                new JwtKeySource.Shared(new JwtSecret(SECRET), Optional.empty()), claims, Map.of("X-User", "sub"));
        return new PolicyConfig("api", config, /* dryRun= */ false);
    }

    /** Verifies each token once, so that it is in the cache. */
    @Setup
    public void verifyTokens() throws GeneralSecurityException, InterruptedException {
        for (int i = 0; i < TOKENS; i++) {
            requests[i] = scan(token(i));
            policies.evaluateFully(requests[i], PolicyEvaluation.CLIENT);
        }
        for (int i = 0; i < TOKENS; i++) {
            if (evaluate() != PolicyExchange.Outcome.PASSED) {
                throw new IllegalStateException("a token is not in the cache");
            }
        }
    }

    private static String token(int number) throws GeneralSecurityException {
        String claims = "{\"iss\":\"https://id.example\",\"aud\":\"api\",\"exp\":4000000000,\"sub\":\"user" + number
                + "\",\"groups\":\"" + "g".repeat(260) + "\"}";
        String content = encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.US_ASCII)) + "."
                + encode(claims.getBytes(StandardCharsets.US_ASCII));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
        return content + "." + encode(mac.doFinal(content.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static RequestScanner scan(String token) {
        return PolicyEvaluation.scan(
                "GET /api/orders HTTP/1.1",
                "Host: shop.example",
                "User-Agent: benchmark",
                "Accept: */*",
                "Authorization: Bearer " + token);
    }

    @Benchmark
    public PolicyExchange.Outcome evaluate() {
        next = next + 1 == TOKENS ? 0 : next + 1;
        return policies.evaluate(requests[next], PolicyEvaluation.CLIENT);
    }

    @TearDown
    public void close() {
        policies.close();
    }
}
