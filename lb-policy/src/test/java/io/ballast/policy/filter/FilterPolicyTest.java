package io.ballast.policy.filter;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.Identity;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestPolicy;
import io.ballast.policy.config.FilterConfig;
import io.ballast.policy.config.FilterConfig.OnError;
import io.ballast.policy.testing.FilterJars;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how filters may change or answer requests, in both HTTP versions. */
class FilterPolicyTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(20);

    @TempDir
    private static Path directory;

    private static Path jar;

    @BeforeAll
    static void compile() throws Exception {
        jar = FilterJars.jar(directory, FilterSetup.FACTORY, FilterSetup.SOURCE);
    }

    private static FilterConfig config(Map<String, Object> settings) {
        return FilterSetup.config(jar, settings, LONG, OnError.REFUSE);
    }

    @ParameterizedTest
    @EnumSource
    void requestPassesUnchanged(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                FilterSetup setup = FilterSetup.start(config(Map.of()), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            PolicyClient.Answer answer = client.post("/a", "body", "x-test", "1");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).contains("x-test: 1\r\n", "\r\nbody");
            assertThat(setup.calls("ok")).isOne();
            assertThat(setup.count(PolicyCounter.PASSED)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void filterAnswersInsteadOfTheBackend(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = FilterSetup.start(config(Map.of("request", "answer")), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            PolicyClient.Answer answer = client.post("/a", "body");

            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.body()).isEqualTo("no");
            assertThat(answer.headers("x-filter")).containsExactly("answered");
            assertThat(answer.headers("content-type")).containsExactly("text/plain; charset=utf-8");
            assertThat(client.post("/b", "").status()).isEqualTo(403);
            assertThat(backend.connections()).isZero();
            assertThat(setup.count(PolicyCounter.ANSWERED)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void filterChangesHeaders(PolicyVersion version) throws Exception {
        TestPolicy earlier = new TestPolicy("earlier", Phase.IDENTITY, exchange -> {
            exchange.requestLines().appendAscii("X-Remove: by a policy\r\nX-Kept: by a policy\r\n");
            return PolicyDecision.PASS;
        });
        String response = "HTTP/1.1 200 OK\r\nServer: backend\r\nX-Request: own\r\nContent-Length: 2\r\n\r\nok";
        try (TestBackend backend = TestBackend.playing(Script.answer(response));
                FilterSetup setup = FilterSetup.start(config(Map.of("request", "edit")), backend, earlier.named());
                PolicyClient client = version.connect(setup.balancer())) {
            PolicyClient.Answer answer = client.post(
                    "/a",
                    "body",
                    "x-set",
                    "old",
                    "x-set",
                    "older",
                    "x_set",
                    "forged",
                    "x-append",
                    "old",
                    "x_remove",
                    "1");
            String request = backend.nextRequest().toLowerCase(Locale.ROOT);

            assertThat(request)
                    .contains("x-set: new\r\n", "x-append: old\r\n", "x-append: more\r\n", "x-kept: by a policy\r\n")
                    .doesNotContain("old\r\nx-set", "older", "forged", "x_remove", "x-remove");
            assertThat(answer.headers("server")).containsExactly("filtered");
            assertThat(answer.headers("x-request")).containsExactly("own", "seen");
            assertThat(answer.body()).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @EnumSource
    void filterChangesTheResponse(PolicyVersion version) throws Exception {
        String response = "HTTP/1.1 201 Created\r\nX-Private: secret\r\nContent-Length: 5\r\n\r\nhello";
        try (TestBackend backend = TestBackend.playing(Script.answer(response));
                FilterSetup setup = FilterSetup.start(config(Map.of("response", "edit")), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            for (int i = 0; i < 3; i++) {
                PolicyClient.Answer answer = client.post("/a", "body");

                assertThat(answer.status()).isEqualTo(201);
                assertThat(answer.headers("x-status")).containsExactly("201 POST");
                assertThat(answer.headers("x-private")).isEmpty();
                assertThat(answer.body()).isEqualTo("hello");
            }
            assertThat(setup.calls("ok")).isEqualTo(6);
        }
    }

    @ParameterizedTest
    @EnumSource
    void failureWithTheResponseHidesTheResponse(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("secret"));
                FilterSetup setup = FilterSetup.start(config(Map.of("response", "throw")), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            PolicyClient.Answer answer = client.post("/a", "body");

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body()).doesNotContain("secret");
            assertThat(setup.calls("error")).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void slowFilterWithTheResponseIsCut(PolicyVersion version) throws Exception {
        FilterConfig config = FilterSetup.config(jar, Map.of("response", "sleep"), SHORT, OnError.PASS);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = FilterSetup.start(config, backend);
                PolicyClient client = version.connect(setup.balancer())) {
            assertThat(client.post("/a", "body").body()).isEqualTo("hello");
            assertThat(setup.calls("timeout")).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void exceptionIsCountedAndRefusesWith500(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = FilterSetup.start(config(Map.of("request", "throw")), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            assertThat(client.post("/a", "body").status()).isEqualTo(500);
            assertThat(client.post("/b", "").status()).isEqualTo(500);
            assertThat(setup.calls("error")).isEqualTo(2);
            assertThat(setup.count(PolicyCounter.FAILED)).isEqualTo(2);
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nullIsAnError(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = FilterSetup.start(config(Map.of("request", "null")), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            assertThat(client.post("/a", "body").status()).isEqualTo(500);
            assertThat(setup.calls("error")).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestMayPassAnyFailure(PolicyVersion version) throws Exception {
        FilterConfig config = FilterSetup.config(jar, Map.of("request", "throw"), LONG, OnError.PASS);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = FilterSetup.start(config, backend);
                PolicyClient client = version.connect(setup.balancer())) {
            assertThat(client.post("/a", "body").body()).isEqualTo("hello");
            assertThat(setup.calls("error")).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void slowFilterIsCutAtItsDeadline(PolicyVersion version) throws Exception {
        FilterConfig config = FilterSetup.config(
                jar, Map.of("request", "sleep"), SHORT, OnError.REFUSE, /* threads= */ 1, /* queue= */ 0);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = FilterSetup.start(config, backend);
                PolicyClient client = version.connect(setup.balancer())) {
            assertThat(client.post("/a", "body").status()).isEqualTo(503);
            setup.balancer().await("the thread was interrupted", () -> {
                client.post("/b", "");
                return setup.calls("timeout") > 1; // the only thread is free again
            });
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void filterSeesTheRequest(PolicyVersion version) throws Exception {
        TestPolicy login = new TestPolicy("login", Phase.IDENTITY, exchange -> {
            exchange.setIdentity(new Identity("alice"));
            exchange.requestLines().appendAscii("X-Test: from the policy\r\n");
            return PolicyDecision.PASS;
        });
        login.setting(List.of("X-Test"), List.of());
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = FilterSetup.start(config(Map.of("request", "describe")), backend, login.named());
                PolicyClient client = version.connect(setup.balancer())) {
            PolicyClient.Answer answer = client.post("/a/%62/../c?q=1", "", "x-test", "forged");

            assertThat(answer.body()).isEqualTo("POST /a/%62/../c /a/c q=1 a /127.0.0.1 - alice from the policy");
        }
    }

    @ParameterizedTest
    @EnumSource
    void ownHeadersOfClientsAreRemoved(PolicyVersion version) throws Exception {
        FilterConfig config = FilterSetup.config(
                jar, Map.of("request", "throw", "own_headers", List.of("X-User")), LONG, OnError.PASS);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                FilterSetup setup = FilterSetup.start(config, backend);
                PolicyClient client = version.connect(setup.balancer())) {
            client.post("/a", "", "x-user", "forged", "x_user", "forged");

            assertThat(backend.nextRequest()).doesNotContain("forged");
        }
    }

    @ParameterizedTest
    @EnumSource
    void filterReadsTheBody(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                FilterSetup setup = FilterSetup.start(config(Map.of("request", "body", "body", "4")), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            client.begin("/a", "bo");
            setup.balancer().goRound();
            client.continueBody("dy");

            assertThat(client.read().body()).contains("X-Body: body true\r\n", "\r\nbody");
            assertThat(client.post("/b", "").body()).contains("X-Body: true\r\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void longerBodyIsRefused(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.echo());
                FilterSetup setup = FilterSetup.start(config(Map.of("request", "body", "body", "3")), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            assertThat(client.post("/a", "body").status()).isEqualTo(413);
            assertThat(setup.calls("ok")).isZero();
            assertThat(backend.connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void filterReadsTheStartOfALongerBody(PolicyVersion version) throws Exception {
        Map<String, Object> settings = Map.of("request", "body", "body", "3", "start", "true");
        try (TestBackend backend = TestBackend.playing(Script.echo());
                FilterSetup setup = FilterSetup.start(config(settings), backend);
                PolicyClient client = version.connect(setup.balancer())) {
            assertThat(client.post("/a", "body").body()).contains("X-Body: bod false\r\n", "\r\nbody");
        }
    }
}
