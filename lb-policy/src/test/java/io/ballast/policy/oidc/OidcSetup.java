package io.ballast.policy.oidc;

import io.ballast.core.hash.SipHash24;
import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.ClientLimits;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.oidc.OidcClient;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcCookie;
import io.ballast.policy.config.oidc.OidcPages;
import io.ballast.policy.config.oidc.OidcSecret;
import io.ballast.policy.jwt.TestTokens;
import io.ballast.policy.oidc.provider.UserTokens;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.work.FileChanges;
import io.ballast.policy.work.PolicyEnvironment;
import io.ballast.policy.work.PolicyEvents;
import io.ballast.policy.work.PolicyServices;
import io.ballast.policy.work.SharedDownloads;
import io.ballast.policy.work.SharedObjects;
import io.ballast.policy.work.SlowWork;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** A balancer with one policy, a provider, a backend, and a clock that the test sets. */
final class OidcSetup implements AutoCloseable {

    static final OidcSecret SECRET = new OidcSecret("the secret of the cookies has more than 32 characters");

    final AtomicLong seconds = new AtomicLong(TestTokens.NOW);
    final ScriptedProvider provider;
    final TestBackend backend = TestBackend.playing(Script.ok("hello"));
    final List<String> events = new CopyOnWriteArrayList<>();
    final OidcConfig config;
    final NamedPolicy policy;
    final TestBalancer balancer;

    private final SharedObjects shared = new SharedObjects();
    private final SlowWork work = new SlowWork(1);
    private final List<TestBalancer> balancers = new ArrayList<>();
    private final List<OidcPolicy> policies = new ArrayList<>();

    private OidcSetup(UnaryOperator<ScriptedProvider> script, UnaryOperator<OidcConfig> change, boolean dryRun)
            throws Exception {
        this.provider = script.apply(new ScriptedProvider(seconds));
        this.config = change.apply(config(provider.issuer()));
        this.policy = named(dryRun);
        this.balancer = balance(policy);
    }

    private NamedPolicy named(boolean dryRun) {
        return named(create(config), dryRun);
    }

    private static NamedPolicy named(OidcPolicy policy, boolean dryRun) {
        return new NamedPolicy("sso", "oidc", policy, dryRun, new Counters<>(PolicyCounter.class, 2));
    }

    private TestBalancer balance(NamedPolicy by) throws IOException {
        TestBalancer started = BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(by)
                .trustedProxies("127.0.0.1/32")
                .limits(new ClientLimits(8192, 16_384, 32_768, 100, 0, 100))
                .start();
        balancers.add(started);
        return started;
    }

    /** Starts another balancer with the same configuration and clock, like a second process. */
    TestBalancer startAnother() throws IOException {
        return startWith(create(config, new SharedObjects()));
    }

    /** Starts a balancer with another policy of the same process. */
    TestBalancer startBeside(OidcConfig other) throws IOException {
        return startWith(create(other));
    }

    private TestBalancer startWith(OidcPolicy other) throws IOException {
        TestBalancer started = balance(named(other, /* dryRun= */ false));
        new TestBrowser(HttpRequests.HTTP_1, started).open("/"); // waits for the discovery document
        return started;
    }

    /** Starts a balancer with a provider that follows the standards. */
    static OidcSetup start() throws Exception {
        return start(provider -> provider, config -> config);
    }

    /** Starts a balancer with a changed provider and configuration. */
    static OidcSetup start(UnaryOperator<ScriptedProvider> script, UnaryOperator<OidcConfig> change) throws Exception {
        return new OidcSetup(script, change, /* dryRun= */ false);
    }

    static OidcSetup startDryRun() throws Exception {
        return new OidcSetup(provider -> provider, config -> config, /* dryRun= */ true);
    }

    static OidcConfig config(String issuer) {
        OidcClient client = new OidcClient(
                issuer,
                /* allowHttp= */ false,
                ScriptedProvider.CLIENT_ID,
                Optional.of(new OidcSecret(ScriptedProvider.CLIENT_SECRET)),
                Optional.empty(),
                List.of("openid", "email"));
        return new OidcConfig(
                client,
                OidcPages.DEFAULT,
                OidcCookie.DEFAULT.withSecrets(List.of(SECRET)),
                Map.of(),
                Map.of("X-User", "email"),
                "email",
                Duration.ofHours(8));
    }

    static OidcConfig withRequired(OidcConfig config, Map<String, List<String>> required) {
        return new OidcConfig(
                config.client(),
                config.pages(),
                config.cookie(),
                required,
                config.headers(),
                config.identity(),
                config.session());
    }

    static OidcConfig withPages(OidcConfig config, OidcPages pages) {
        return new OidcConfig(
                config.client(),
                pages,
                config.cookie(),
                config.required(),
                config.headers(),
                config.identity(),
                config.session());
    }

    /** Returns another policy that shares objects with the first one, like two policies of one process. */
    OidcPolicy create(OidcConfig other) {
        return create(other, shared);
    }

    private OidcPolicy create(OidcConfig other, SharedObjects known) {
        PolicyEnvironment environment = new PolicyEnvironment(
                2,
                new SecureRandom(),
                this::nanos,
                this::millis,
                work,
                work,
                new FileChanges(),
                new SharedDownloads(),
                known,
                PolicyServices.NONE.with(
                        (PolicyEvents) (subject, isProblem, text) -> events.add(subject + ": " + text)));
        OidcPolicy made =
                OidcPolicies.create(other, environment, new SipHash24(1, 2), UserTokens.start(other, environment));
        policies.add(made);
        return made;
    }

    private long nanos() {
        return seconds.get() * 1_000_000_000;
    }

    private long millis() {
        return seconds.get() * 1000;
    }

    long result(String name) {
        return policy.policy().results().get(name);
    }

    @Override
    public void close() {
        balancers.forEach(TestBalancer::close);
        policies.forEach(OidcPolicy::close);
        backend.close();
        provider.close();
        work.close();
    }
}
