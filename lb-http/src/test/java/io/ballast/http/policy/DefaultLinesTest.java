package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the header lines that a response has unless it contains a line of the same name. */
class DefaultLinesTest {

    private static final Script WITH_X_ONE =
            Script.answer("HTTP/1.1 200 OK\r\nx-one: backend\r\nX-One-More: 1\r\nContent-Length: 2\r\n\r\nok");

    private final AtomicReference<String> lines = new AtomicReference<>("X-One: policy\r\nX-Two: policy\r\n");
    private final TestPolicy policy = new TestPolicy("defaults", Phase.RESPONSE_HEADERS, exchange -> {
        exchange.defaultLines().appendAscii(lines.getAndSet(""));
        return PolicyDecision.PASS;
    });

    private static BalancerSetup before(TestBackend backend, NamedPolicy policy) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policy);
    }

    @ParameterizedTest
    @EnumSource
    void onlyMissingLinesAreAdded(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(WITH_X_ONE);
                TestBalancer balancer = before(backend, policy.named()).start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/a", "");

            assertThat(answer.headers("x-one")).containsExactly("backend");
            assertThat(answer.headers("x-two")).containsExactly("policy");
            assertThat(client.post("/b", "").headers("x-two")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void removedLineOfBackendIsMissing(PolicyVersion version) throws Exception {
        policy.setting(List.of(), List.of("X-One"));
        try (TestBackend backend = TestBackend.playing(WITH_X_ONE);
                TestBalancer balancer = before(backend, policy.named()).start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", "").headers("x-one")).containsExactly("policy");
        }
    }

    @ParameterizedTest
    @EnumSource
    void lineOfHeaderRuleIsKept(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(WITH_X_ONE);
                TestBalancer balancer = before(backend, policy.named())
                        .headers(TestHeaderRules.response("x-TWO", "rule"))
                        .start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", "").headers("x-two")).containsExactly("rule");
        }
    }

    @ParameterizedTest
    @EnumSource
    void localResponseHasTheLines(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(WITH_X_ONE);
                TestBalancer balancer = before(backend, policy.named())
                        .respond("/fixed", 200, "fixed")
                        .start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/fixed", "");

            assertThat(answer.headers("x-one")).containsExactly("policy");
            assertThat(answer.headers("x-two")).containsExactly("policy");
            assertThat(client.post("/fixed", "").headers("x-two")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void dryRunAddsNoLine(PolicyVersion version) throws Exception {
        try (TestBackend backend = TestBackend.playing(WITH_X_ONE);
                TestBalancer balancer = before(backend, policy.dryRun()).start();
                PolicyClient client = version.connect(balancer)) {
            assertThat(client.post("/a", "").headers("x-two")).isEmpty();
        }
    }
}
