package io.ballast.policy.basic;

import static io.ballast.policy.testing.TestPolicies.basic;
import static io.ballast.policy.testing.TestPolicies.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyClient.Answer;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.BasicUser;
import io.ballast.policy.config.HashedPassword;
import io.ballast.policy.testing.TestPolicies;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BasicPolicyTest {

    private static final HashedPassword HASH =
            new HashedPassword("$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC");
    private static final String PASSWORD = "myPassword";
    private static final BasicConfig CONFIG = BasicConfig.of(List.of(new BasicUser("alice", HASH)));

    private final TestPolicies policies = new TestPolicies();
    private final Queue<HashedPassword> verified = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() {
        policies.close();
    }

    /** Returns a policy whose password verification is fast and recorded. */
    private BasicPolicy recorded(BasicConfig config) {
        return new BasicPolicy(config, policies.environment(), (hash, password) -> {
            verified.add(hash);
            return hash.equals(HASH) && new String(password, StandardCharsets.UTF_8).equals(PASSWORD);
        });
    }

    @ParameterizedTest
    @EnumSource
    void realPasswordPasses(PolicyVersion version) throws Exception {
        BasicPolicy policy = new BasicPolicy(CONFIG.withHeader("X-User"), policies.environment());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                PolicyClient client = version.connect(balancer)) {
            Answer wrong = client.post("/", "", "authorization", basic("alice", "guess"));
            Answer right = client.post("/", "body", "authorization", basic("alice", PASSWORD));

            assertThat(wrong.status()).isEqualTo(401);
            assertThat(right.status()).isEqualTo(200);
            assertThat(backend.nextRequest()).contains("X-User: alice\r\n").doesNotContainIgnoringCase("authorization");
        }
    }

    @ParameterizedTest
    @EnumSource
    void missingCredentialsAreChallenged(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = version.connect(balancer)) {
            for (Answer answer :
                    List.of(client.post("/", ""), client.post("/", "", "authorization", basic("alice", "wrong")))) {
                assertThat(answer.status()).isEqualTo(401);
                assertThat(answer.headers("www-authenticate"))
                        .containsExactly("Basic realm=\"restricted\", charset=\"UTF-8\"");
            }
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientCannotForgeTheUser(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG.withHeader("X-User")));
                PolicyClient client = version.connect(balancer)) {
            client.post("/", "", "x-user", "mallory", "x_user", "mallory", "authorization", basic("alice", PASSWORD));

            assertThat(backend.nextRequest()).contains("X-User: alice\r\n").doesNotContain("mallory");
        }
    }

    @ParameterizedTest
    @EnumSource
    void credentialsAreForwardedOnlyIfConfigured(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG.withForwardedCredentials()));
                PolicyClient client = version.connect(balancer)) {
            client.post("/", "", "authorization", basic("alice", PASSWORD));

            assertThat(backend.nextRequest()).containsIgnoringCase("authorization: " + basic("alice", PASSWORD));
        }
    }

    @Test
    void unknownUserCostsOneVerificationOfTheSameKind() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            assertThat(client.post("/", "", "Authorization", basic("alice", "x"))
                            .status())
                    .isEqualTo(401);
            assertThat(verified).containsExactly(HASH);
            verified.clear();

            assertThat(client.post("/", "", "Authorization", basic("nobody", PASSWORD))
                            .status())
                    .isEqualTo(401);
            assertThat(verified).containsExactly(HASH.withoutPassword());
        }
    }

    @Test
    void verifiedPasswordIsCachedForFiveMinutes() throws Exception {
        String[] credentials = {"Authorization", basic("alice", PASSWORD)};
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            assertThat(client.post("/", "", credentials).status()).isEqualTo(200);
            policies.advance(Duration.ofSeconds(299));
            assertThat(client.post("/", "", credentials).status()).isEqualTo(200);
            assertThat(verified).hasSize(1);

            policies.advance(Duration.ofSeconds(1));
            assertThat(client.post("/", "", credentials).status()).isEqualTo(200);
            assertThat(verified).hasSize(2);
        }
    }

    @Test
    void wrongPasswordIsNotCached() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            client.post("/", "", "Authorization", basic("alice", PASSWORD));
            for (int i = 0; i < 3; i++) {
                assertThat(client.post("/", "", "Authorization", basic("alice", "wrong"))
                                .status())
                        .isEqualTo(401);
            }
            assertThat(verified).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void failuresAreSlowed(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = version.connect(balancer)) {
            for (int i = 0; i < 10; i++) {
                assertThat(client.post("/", "", "authorization", basic("alice", "guess" + i))
                                .status())
                        .isEqualTo(401);
            }
            Answer refused = client.post("/", "", "authorization", basic("alice", PASSWORD));

            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers("retry-after")).containsExactly("6");
            assertThat(verified).hasSize(10);
            assertThat(client.post("/", "", "authorization", basic("bob", "guess"))
                            .status())
                    .isEqualTo(401);
            policies.advance(Duration.ofSeconds(6));
            assertThat(client.post("/", "", "authorization", basic("alice", PASSWORD))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void clientWithManyUserNamesIsLimited() throws Exception {
        int limit = 10 * CONFIG.failures().burst();
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            for (int i = 0; i < limit; i++) {
                assertThat(client.post("/", "", "Authorization", basic("user-" + i, "x"))
                                .status())
                        .isEqualTo(401);
            }
            Answer refused = client.post("/", "", "Authorization", basic("another", "x"));

            assertThat(refused.status()).isEqualTo(429);
            assertThat(verified).hasSize(limit);
        }
    }

    @Test
    void successesAreNotCountedAsFailures() throws Exception {
        BasicConfig uncached = new BasicConfig(
                CONFIG.users(),
                CONFIG.usersFile(),
                CONFIG.realm(),
                CONFIG.header(),
                CONFIG.forwardCredentials(),
                /* cache= */ Duration.ZERO,
                CONFIG.failures());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(uncached));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            for (int i = 0; i < 20; i++) {
                assertThat(client.post("/", "", "Authorization", basic("alice", PASSWORD))
                                .status())
                        .isEqualTo(200);
            }
            assertThat(verified).hasSize(20);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer abc", // another scheme
                "Basic", // no credentials
                "Basic !!!!", // not Base64
                "Basic YWxpY2U=", // no colon
                "Basic YWxpY2U6AA==", // a control character
                "Basic /zp4" // not UTF-8
            })
    void malformedCredentialsAreNotVerified(String value) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            assertThat(client.post("/", "", "Authorization", value).status()).isEqualTo(401);
            assertThat(verified).isEmpty();
        }
    }

    @Test
    void schemeMayHaveAnyCase() throws Exception {
        String value = basic("alice", PASSWORD).replace("Basic", "bASIC ");
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            assertThat(client.post("/", "", "Authorization", value).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void secondAuthorizationHeaderIsRefused(PolicyVersion version) throws Exception {
        String right = basic("alice", PASSWORD);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = version.connect(balancer)) {
            Answer answer = client.post("/", "", "authorization", right, "authorization", basic("root", "x"));

            assertThat(answer.status()).isEqualTo(401);
            assertThat(verified).isEmpty();
        }
    }

    @Test
    void parallelRequestsShareOneVerification() throws Exception {
        Semaphore started = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        BasicPolicy policy = new BasicPolicy(CONFIG, policies.environment(), (hash, password) -> {
            verified.add(hash);
            started.release();
            mayEnd.acquireUninterruptibly();
            return true;
        });
        String head = "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: " + basic("alice", PASSWORD) + "\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                var first = balancer.client();
                var second = balancer.client()) {
            first.send(head);
            started.acquire();
            balancer.await("the first request waits", () -> policy.waiting() == 1);
            second.send(head);
            balancer.await("both requests wait", () -> policy.waiting() == 2);
            mayEnd.release();

            assertThat(first.read().status()).isEqualTo(200);
            assertThat(second.read().status()).isEqualTo(200);
            assertThat(verified).hasSize(1);
        }
    }

    @Test
    void disconnectOfOneClientDoesNotCancelTheOther() throws Exception {
        Semaphore started = new Semaphore(0);
        Semaphore mayEnd = new Semaphore(0);
        BasicPolicy policy = new BasicPolicy(CONFIG, policies.environment(), (hash, password) -> {
            started.release();
            mayEnd.acquireUninterruptibly();
            return true;
        });
        String head = "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: " + basic("alice", PASSWORD) + "\r\n\r\n";
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, policy);
                var first = balancer.client();
                var second = balancer.client()) {
            first.send(head);
            started.acquire();
            balancer.await("the first request waits", () -> policy.waiting() == 1);
            second.send(head);
            balancer.await("both requests wait", () -> policy.waiting() == 2);
            first.close();
            balancer.await("one request waits", () -> policy.waiting() == 1);
            mayEnd.release();

            assertThat(second.read().status()).isEqualTo(200);
        }
    }

    @Test
    void fullQueueIsAnsweredWith503() throws Exception {
        policies.work().close(); // refuses further work, as a full queue does
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = start(backend, recorded(CONFIG));
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            for (int i = 0; i < 20; i++) { // these requests do not count as failed logins
                assertThat(client.post("/", "", "Authorization", basic("alice", PASSWORD))
                                .status())
                        .isEqualTo(503);
            }
        }
    }
}
