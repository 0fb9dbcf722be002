package io.ballast.policy.jwt;

import com.nimbusds.jose.jwk.JWKSet;
import io.ballast.core.hash.SipHash24;
import io.ballast.core.stats.Counters;
import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.jwt.JwtClaimRules;
import io.ballast.policy.config.jwt.JwtConfig;
import io.ballast.policy.config.jwt.JwtKeySource;
import io.ballast.policy.config.jwt.JwtTokenPlace;
import io.ballast.policy.jwt.key.KeySet;
import io.ballast.policy.jwt.key.KeySource;
import io.ballast.policy.work.FileChanges;
import io.ballast.policy.work.PolicyEnvironment;
import io.ballast.policy.work.PolicyServices;
import io.ballast.policy.work.SharedDownloads;
import io.ballast.policy.work.SharedObjects;
import io.ballast.policy.work.SlowWork;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A balancer with one JWT policy, a backend, and a clock that the test sets. */
final class JwtSetup implements AutoCloseable {

    /** The status of a response, and its {@code WWW-Authenticate} header. */
    record Reply(int status, @Nullable String challenge) {}

    /** Builds the configuration of the policy. */
    static final class Config {
        private final Map<String, String> headers = new LinkedHashMap<>();
        private final Map<String, List<String>> required = new LinkedHashMap<>();
        private JwtKeySource keys = new JwtKeySource.Fixed(new JWKSet(TestTokens.OLD_KEY).toString(), Optional.empty());
        private JwtTokenPlace from = JwtTokenPlace.AUTHORIZATION;
        private boolean forwards = true;

        Config keys(JwtKeySource source) {
            keys = source;
            return this;
        }

        Config header(String name, String claim) {
            headers.put(name, claim);
            return this;
        }

        Config require(String claim, String value) {
            required.put(claim, List.of(value));
            return this;
        }

        Config from(JwtTokenPlace place) {
            from = place;
            return this;
        }

        Config withoutForwarding() {
            forwards = false;
            return this;
        }

        JwtConfig build() {
            JwtClaimRules claims = new JwtClaimRules(
                    List.of("https://id.example"), List.of("api"), List.of(), Duration.ofSeconds(30), required);
            return new JwtConfig(keys, Set.of(), claims, from, forwards, headers, "api", /* cached= */ 100);
        }
    }

    /** Limits that let tokens above 8 KiB reach the policy. */
    private static final ClientLimits LONG_HEADERS = new ClientLimits(8192, 16_384, 32_768, 100, 0, 100);

    private final AtomicLong millis = new AtomicLong(TestTokens.NOW * 1000);
    private final SlowWork work = new SlowWork(1);
    private final TestBackend backend = TestBackend.playing(Script.ok("hello"));
    private final NamedPolicy policy;
    private final TestBalancer balancer;

    private JwtSetup(JwtConfig config, @Nullable KeySource keys, Duration keyWait) throws IOException {
        PolicyEnvironment environment = new PolicyEnvironment(
                2,
                new SecureRandom(),
                System::nanoTime,
                millis::get,
                work,
                work,
                new FileChanges(),
                new SharedDownloads(),
                new SharedObjects(),
                PolicyServices.NONE);
        SipHash24 hash = new SipHash24(1, 2);
        JwtPolicy jwt = keys == null
                ? JwtPolicies.create(config, environment, hash)
                : JwtPolicies.create(config, keys, environment, hash, keyWait);
        policy = new NamedPolicy("api", "jwt", jwt, /* dryRun= */ false, new Counters<>(PolicyCounter.class, 2));
        balancer = BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(policy)
                .limits(LONG_HEADERS)
                .start();
    }

    static Config config() {
        return new Config();
    }

    /** Prepares a policy with the keys of the configuration. */
    static Starter with(Config config) {
        return () -> new JwtSetup(config.build(), null, JwtPolicy.KEY_WAIT);
    }

    /** Prepares a policy with these keys. */
    static Starter with(KeySource keys, Duration keyWait) {
        return () -> new JwtSetup(config().build(), keys, keyWait);
    }

    /** Starts the balancer. */
    interface Starter {
        JwtSetup start() throws IOException;
    }

    /** Returns keys that verify {@link TestTokens#OLD_KEY}. */
    static KeySet oldKey() {
        return KeySet.parse(new JWKSet(TestTokens.OLD_KEY).toString());
    }

    TestBackend backend() {
        return backend;
    }

    TestBalancer balancer() {
        return balancer;
    }

    NamedPolicy policy() {
        return policy;
    }

    void setSeconds(long now) {
        millis.set(now * 1000);
    }

    /**
     * Sends a request on a new connection.
     *
     * @param headers names in lower case and values, alternating
     */
    Reply get(boolean http2, String... headers) {
        if (http2) {
            try (Http2Client client = Http2Client.connect(balancer.port())) {
                Http2Response response = client.read(client.request(/* ends= */ true, "GET", "/", headers));
                return new Reply(response.status(), response.header("www-authenticate"));
            }
        }
        try (RawClient client = balancer.client()) {
            RawResponse response = client.send(request(headers)).read();
            return new Reply(response.status(), response.header("WWW-Authenticate"));
        }
    }

    /** Returns a request of HTTP/1.1. */
    static String request(String... headers) {
        StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: a\r\n");
        for (int i = 0; i < headers.length; i += 2) {
            request.append(headers[i]).append(": ").append(headers[i + 1]).append("\r\n");
        }
        return request.append("\r\n").toString();
    }

    @Override
    public void close() {
        balancer.close();
        backend.close();
        work.close();
    }
}
