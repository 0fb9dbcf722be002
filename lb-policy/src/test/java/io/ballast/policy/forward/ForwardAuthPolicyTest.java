package io.ballast.policy.forward;

import static io.ballast.policy.testing.HttpRequests.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.PolicyCounter;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import io.ballast.policy.config.ForwardAuthConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests forward authentication with a scripted server. */
class ForwardAuthPolicyTest {

    private static final Script ALICE = answer(200, "X-Auth-User: alice\r\nX-Other: private\r\n", "");
    private static final Script HALF_AN_ANSWER = connection -> {
        connection.readRequest();
        connection.send("HTTP/1.1 200 OK\r\nX-Auth-User: alice\r\nContent-Length: 5\r\n\r\nhal");
        connection.awaitClose();
    };
    private static final Duration LONG = Duration.ofMinutes(1);

    private static Script answer(int status, String headers, String body) {
        return Script.answer("HTTP/1.1 " + status + " Status\r\n" + headers + "Content-Length: " + body.length()
                + "\r\n\r\n" + body);
    }

    private static ForwardAuthConfig config(TestBackend server, Duration timeout, int inFlight) {
        return new ForwardAuthConfig(
                URI.create("http://127.0.0.1:" + server.port() + "/verify?app=1"),
                List.of("X-Auth-User", "X-Auth-Groups"),
                ForwardAuthConfig.DEFAULT_REQUEST_HEADERS,
                Optional.of("X-Auth-User"),
                timeout,
                inFlight);
    }

    /** An authentication server, a backend, and a balancer with the policy that is tested. */
    private record Setup(TestBackend server, TestBackend backend, NamedPolicy policy, TestBalancer balancer)
            implements AutoCloseable {

        static Setup start(Script... answers) throws Exception {
            return start(LONG, /* inFlight= */ 10, answers);
        }

        static Setup start(Duration timeout, int inFlight, Script... answers) throws Exception {
            TestBackend server = TestBackend.playing(answers);
            TestBackend backend = TestBackend.playing(Script.ok("hello"));
            ForwardAuthConfig config = config(server, timeout, inFlight);
            NamedPolicy policy = named(config.kind(), new ForwardAuthPolicy(config, System::nanoTime));
            TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                    .backend(backend)
                    .policies(policy)
                    .start();
            return new Setup(server, backend, policy, balancer);
        }

        long count(PolicyCounter counter) {
            return policy.counters().sum(counter);
        }

        @Override
        public void close() {
            balancer.close();
            policy.policy().close();
            backend.close();
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void serverLearnsAboutTheRequest(HttpRequests http) throws Exception {
        try (Setup setup = Setup.start(ALICE)) {
            http.send(
                    setup.balancer(),
                    "DELETE",
                    "/a/b?c=d",
                    "Cookie",
                    "session=1",
                    "Authorization",
                    "Bearer t",
                    "Accept",
                    "application/json");
            String request = setup.server().nextRequest();

            assertThat(request)
                    .startsWith("GET /verify?app=1 HTTP/1.1\r\n")
                    .contains("\r\nX-Forwarded-Method: DELETE\r\n")
                    .contains("\r\nX-Forwarded-Proto: http\r\n")
                    .contains("\r\nX-Forwarded-Host: a\r\n")
                    .contains("\r\nX-Forwarded-Uri: /a/b?c=d\r\n")
                    .contains("\r\nX-Forwarded-For: 127.0.0.1\r\n")
                    .contains("\r\nCookie: session=1\r\n")
                    .contains("\r\nAuthorization: Bearer t\r\n")
                    .contains("\r\nAccept: application/json\r\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void serverGetsNoOtherHeaderOfTheClient(HttpRequests http) throws Exception {
        try (Setup setup = Setup.start(ALICE)) {
            String[] forged = {
                "X-Forwarded-Method",
                "X-Forwarded-Proto",
                "X-Forwarded-Host",
                "X-Forwarded-Uri",
                "X-Forwarded-For",
                "X-Forwarded-Port",
                "X-Forwarded-Prefix",
                "x_forwarded_for",
                "X-Forwarded_Uri",
                "Forwarded",
                "X-Real-IP",
                "X-Original-URL",
                "X-Auth-User",
                "Content-Type",
                "Expect-CT"
            };
            String[] headers = new String[2 * forged.length];
            for (int i = 0; i < forged.length; i++) {
                headers[2 * i] = forged[i];
                headers[2 * i + 1] = "forged";
            }
            assertThat(http.get(setup.balancer(), "/a", headers).status()).isEqualTo(200);
            String request = setup.server().nextRequest();

            assertThat(request)
                    .doesNotContain("forged")
                    .containsOnlyOnce("X-Forwarded-For:")
                    .containsOnlyOnce("X-Forwarded-Uri:");
        }
    }

    @ParameterizedTest
    @EnumSource
    void backendGetsCopiedHeadersOnly(HttpRequests http) throws Exception {
        try (Setup setup = Setup.start(ALICE)) {
            Answer answer = http.get(
                    setup.balancer(),
                    "/a",
                    "X-Auth-User",
                    "mallory",
                    "x_auth_user",
                    "mallory",
                    "X-auth_User",
                    "mallory",
                    "X-AUTH-GROUPS",
                    "mallory",
                    "x_auth_groups",
                    "mallory");

            assertThat(answer.body()).isEqualTo("hello");
            assertThat(setup.backend().nextRequest())
                    .contains("\r\nX-Auth-User: alice\r\n")
                    .doesNotContain("mallory")
                    .doesNotContainIgnoringCase("groups")
                    .doesNotContain("private");
            assertThat(answer.head()).noneMatch(line -> line.contains("alice"));
            assertThat(setup.count(PolicyCounter.PASSED)).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionHeaderCannotRemoveCopiedHeaders(HttpRequests http) throws Exception {
        if (http == HttpRequests.HTTP_2) {
            return; // such a request is malformed: RFC 9113 section 8.2.2
        }
        try (Setup setup = Setup.start(ALICE)) {
            http.get(setup.balancer(), "/a", "Connection", "X-Auth-User");

            assertThat(setup.backend().nextRequest()).contains("\r\nX-Auth-User: alice\r\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void identityIsKnownToLaterPolicies(HttpRequests http) throws Exception {
        AtomicReference<String> identity = new AtomicReference<>("");
        TestPolicy later = new TestPolicy("later", Phase.IDENTITY_LIMIT, exchange -> {
            identity.set(exchange.identity().name());
            return PolicyDecision.PASS;
        });
        try (TestBackend server = TestBackend.playing(ALICE);
                TestBackend backend = TestBackend.playing(Script.ok("hello"))) {
            ForwardAuthPolicy policy = new ForwardAuthPolicy(config(server, LONG, 10), System::nanoTime);
            try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                    .backend(backend)
                    .policies(named("forward_auth", policy), later.named())
                    .start()) {
                http.get(balancer, "/a");

                assertThat(identity).hasValue("alice");
            } finally {
                policy.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherAnswersAreSentToTheClient(HttpRequests http) throws Exception {
        String headers = String.join(
                "\r\n",
                "Location: https://login.example/?rd=%2Fa",
                "Set-Cookie: csrf=1",
                "Set-Cookie: other=2",
                "Content-Type: text/html",
                "X-Auth-User: mallory",
                "Server: auth",
                "");
        Script login = answer(302, headers, "<a>log in</a>");
        Script refusal = answer(401, "WWW-Authenticate: Basic realm=\"a\"\r\n", "no");
        try (Setup setup = Setup.start(login, refusal, answer(500, "", "broken"))) {
            Answer first = http.get(setup.balancer(), "/a");
            Answer second = http.get(setup.balancer(), "/b");

            assertThat(first.status()).isEqualTo(302);
            assertThat(first.headers("Location")).containsExactly("https://login.example/?rd=%2Fa");
            assertThat(first.headers("Set-Cookie")).containsExactly("csrf=1", "other=2");
            assertThat(first.headers("Content-Type")).containsExactly("text/html");
            assertThat(first.headers("Cache-Control")).containsExactly("no-store");
            assertThat(first.headers("X-Auth-User")).isEmpty();
            assertThat(first.headers("Server")).isEmpty();
            assertThat(first.body()).isEqualTo("<a>log in</a>");
            assertThat(second.status()).isEqualTo(401);
            assertThat(second.headers("WWW-Authenticate")).containsExactly("Basic realm=\"a\"");
            assertThat(second.body()).isEqualTo("no");
            assertThat(http.get(setup.balancer(), "/c").status()).isEqualTo(500);
            assertThat(setup.backend().connections()).isZero();
            assertThat(setup.count(PolicyCounter.ANSWERED)).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void cookieOfSuccessfulAnswerReachesTheClient(HttpRequests http) throws Exception {
        Script refreshed = answer(202, "Set-Cookie: session=2\r\nLocation: /elsewhere\r\n", "");
        try (Setup setup = Setup.start(refreshed)) {
            Answer answer = http.get(setup.balancer(), "/a");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers("Set-Cookie")).containsExactly("session=2");
            assertThat(answer.headers("Location")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionsToTheServerAreKept(HttpRequests http) throws Exception {
        try (Setup setup = Setup.start(ALICE)) {
            for (int i = 0; i < 5; i++) {
                assertThat(http.get(setup.balancer(), "/a").status()).isEqualTo(200);
            }

            assertThat(setup.server().requests()).hasSize(5);
            assertThat(setup.server().connections()).isOne();
        }
    }

    @ParameterizedTest
    @EnumSource
    void answerAtTheLimitIsSent(HttpRequests http) throws Exception {
        try (Setup setup = Setup.start(answer(403, "", "x".repeat(65_536)))) {
            assertThat(http.get(setup.balancer(), "/a").body()).hasSize(65_536);
        }
    }

    @ParameterizedTest
    @EnumSource
    void unusableAnswersRefuseWith503(HttpRequests http) throws Exception {
        List<Script> unusable = List.of(
                answer(403, "", "x".repeat(65_537)),
                answer(403, ("Set-Cookie: " + "x".repeat(1000) + "\r\n").repeat(33), ""),
                answer(200, ("X-Auth-User: " + "x".repeat(1000) + "\r\n").repeat(33), ""),
                answer(200, "X-Auth-User: a\u0001b\r\n", ""),
                answer(700, "", ""),
                answer(200, "X-Auth-User: alice\r\nContent-Length: 5\r\n", "hello, world"),
                Script.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhal"),
                Script.answerAndClose("nonsense\r\n\r\n"),
                Script.answerAndReset(""));
        for (Script script : unusable) {
            try (Setup setup = Setup.start(script)) {
                assertThat(http.get(setup.balancer(), "/a").status()).isEqualTo(503);
                assertThat(setup.backend().connections()).isZero();
                assertThat(setup.count(PolicyCounter.FAILED)).isOne();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void absentServerRefusesWith503(HttpRequests http) throws Exception {
        try (Setup setup = Setup.start(ALICE)) {
            setup.server().close();

            assertThat(http.get(setup.balancer(), "/a").status()).isEqualTo(503);
            assertThat(setup.backend().connections()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void timeoutRefusesWith503(HttpRequests http) throws Exception {
        for (Script slow : List.of(Script.silence(), HALF_AN_ANSWER)) {
            try (Setup setup = Setup.start(Duration.ofMillis(50), /* inFlight= */ 10, slow)) {
                assertThat(http.get(setup.balancer(), "/a").status()).isEqualTo(503);
                assertThat(setup.backend().connections()).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsInFlightAreBounded(HttpRequests http) throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        try (Setup setup = Setup.start(LONG, /* inFlight= */ 1, Script.okAfter(release, ""), ALICE);
                RawClient first = setup.balancer().client()) {
            first.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
            setup.server().nextRequest();

            assertThat(http.get(setup.balancer(), "/b").status()).isEqualTo(503);
            release.countDown();
            assertThat(first.read().status()).isEqualTo(200);
            assertThat(http.get(setup.balancer(), "/c").status()).isEqualTo(200);
            assertThat(setup.server().requests()).hasSize(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectOfTheClientEndsTheFetch(HttpRequests http) throws Exception {
        for (Script slow : List.of(Script.silence(), HALF_AN_ANSWER)) {
            try (Setup setup = Setup.start(LONG, /* inFlight= */ 1, slow, ALICE)) {
                disconnectDuringFetch(http, setup);
                setup.server().awaitConnectionEnd();

                assertThat(http.get(setup.balancer(), "/b").status()).isEqualTo(200); // the permit is free again
                assertThat(setup.backend().requests()).hasSize(1);
            }
        }
    }

    private static void disconnectDuringFetch(HttpRequests http, Setup setup) throws InterruptedException {
        if (http == HttpRequests.HTTP_1) {
            try (RawClient client = setup.balancer().client()) {
                client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
                setup.server().nextRequest();
            }
        } else {
            try (Http2Client client = Http2Client.connect(setup.balancer().port())) {
                client.get("/a");
                setup.server().nextRequest();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void retiredPolicyServesItsLastRequests(HttpRequests http) throws Exception {
        try (Setup setup = Setup.start(ALICE)) {
            http.get(setup.balancer(), "/a");
            setup.policy().policy().close();

            assertThat(http.get(setup.balancer(), "/b").status()).isEqualTo(200);
        }
    }
}
