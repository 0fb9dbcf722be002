package io.ballast.policy.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.stats.Counters;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** A backend that answers no request before the test allows it, behind a balancer with one policy. */
final class HeldBackend implements AutoCloseable {

    private final CountDownLatch latch = new CountDownLatch(1);
    private final TestBackend backend = TestBackend.playing(Script.okAfter(latch, "hello"));
    private final List<PolicyClient> clients = new ArrayList<>();
    private final PolicyVersion version;
    private final NamedPolicy policy;
    private final TestBalancer balancer;

    HeldBackend(PolicyVersion version, Policy policy) throws Exception {
        this(version, policy, /* dryRun= */ false);
    }

    HeldBackend(PolicyVersion version, Policy policy, boolean dryRun) throws Exception {
        this.version = version;
        this.policy = new NamedPolicy(
                "limit", "concurrency", policy, dryRun, new Counters<>(PolicyCounter.class, /* shards= */ 2));
        this.balancer = BalancerSetup.on(TransportKind.NIO)
                .backend(backend)
                .policies(this.policy)
                .start();
    }

    /** Connects another client. */
    PolicyClient client() {
        PolicyClient client = version.connect(balancer);
        clients.add(client);
        return client;
    }

    /** Begins a request of another client, and waits until the backend has it. */
    PolicyClient begin(String path) throws InterruptedException {
        PolicyClient client = client();
        client.begin(path, "");
        assertThat(backend.nextRequest()).contains(path);
        return client;
    }

    /** Begins a request of another client, which the policy delays. */
    PolicyClient beginWaiting(String path) {
        PolicyClient client = client();
        client.begin(path, "");
        return client;
    }

    /** Lets the backend answer; these clients get its responses, in this order. */
    void answer(PolicyClient... all) {
        latch.countDown();
        for (PolicyClient client : all) {
            assertThat(client.read().status()).isEqualTo(200);
        }
    }

    String nextRequest() throws InterruptedException {
        return backend.nextRequest();
    }

    long count(PolicyCounter counter) {
        return policy.counters().sum(counter);
    }

    void await(String what, BooleanSupplier condition) {
        balancer.await(what, condition);
    }

    @Override
    public void close() {
        latch.countDown();
        clients.forEach(PolicyClient::close);
        balancer.close();
        backend.close();
    }
}
