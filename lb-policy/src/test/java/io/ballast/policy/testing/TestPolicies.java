package io.ballast.policy.testing;

import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.work.FileChanges;
import io.ballast.policy.work.PolicyEnvironment;
import io.ballast.policy.work.PolicyServices;
import io.ballast.policy.work.SharedDownloads;
import io.ballast.policy.work.SharedObjects;
import io.ballast.policy.work.SlowWork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Policies, their environment with a clock that tests set, and credentials. */
public final class TestPolicies implements AutoCloseable {

    private static final int LOOPS = 2;
    private static final long SEED = 42;

    private final SlowWork work = new SlowWork(/* threads= */ 2);
    private final FileChanges files = new FileChanges();
    private final AtomicLong nanos = new AtomicLong();

    public PolicyEnvironment environment() {
        return environment(PolicyServices.NONE);
    }

    public PolicyEnvironment environment(PolicyServices services) {
        return new PolicyEnvironment(
                LOOPS,
                new SplittableRandom(SEED),
                nanos::get,
                () -> 0,
                work,
                work,
                files,
                new SharedDownloads(),
                new SharedObjects(),
                services);
    }

    /** The watcher of files; tests start its checks. */
    public FileChanges files() {
        return files;
    }

    /** Advances the clock. */
    public void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    public SlowWork work() {
        return work;
    }

    /** Returns a policy with a name and counters. */
    public static NamedPolicy named(Policy policy) {
        return new NamedPolicy(
                "tested", "test", policy, /* dryRun= */ false, new Counters<>(PolicyCounter.class, LOOPS));
    }

    /** Starts a balancer that evaluates the policy before it forwards requests to the backend. */
    public static TestBalancer start(TestBackend backend, Policy policy) throws Exception {
        return start(backend, named(policy));
    }

    /** Starts a balancer that evaluates the policies before it forwards requests to the backend. */
    public static TestBalancer start(TestBackend backend, NamedPolicy... policies) throws Exception {
        return BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(policies)
                .start();
    }

    /** Returns the value of an {@code Authorization} header. */
    public static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        work.close();
        files.close();
    }
}
