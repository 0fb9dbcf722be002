package io.ballast.http.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.h2.testing.Http2Client;
import io.ballast.http.h2.testing.Http2Response;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestPolicy;
import io.ballast.net.config.TransportKind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the header lines that several policies add to one response. */
class PolicyLinesTest {

    private static final List<String> NAMES = List.of("X-Limit", "X-Remaining");

    private static TestPolicy adding(String name, Phase phase, String lines, PolicyDecision decision) {
        return new TestPolicy(name, phase, exchange -> {
                    exchange.responseLines().appendAscii(lines);
                    return decision;
                })
                .setting(List.of(), NAMES);
    }

    private static BalancerSetup before(TestBackend backend, NamedPolicy... policies) {
        return BalancerSetup.on(TransportKind.NIO).backend(backend).policies(policies);
    }

    @ParameterizedTest
    @EnumSource
    void linesOfTheLaterPolicyReplaceThoseOfTheEarlier(PolicyVersion version) throws Exception {
        TestPolicy first = adding(
                "first",
                Phase.CLIENT_LIMIT,
                "x-limit: 1\r\nX-Remaining: 1\r\nVary: a\r\nX-LIMIT: 1b\r\n",
                PolicyDecision.PASS);
        TestPolicy second =
                adding("second", Phase.IDENTITY_LIMIT, "X-Limit: 2\r\nVary: b\r\nX-Limit: 2b\r\n", PolicyDecision.PASS);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer =
                        before(backend, first.named(), second.named()).start();
                PolicyClient client = version.connect(balancer)) {
            for (int i = 0; i < 2; i++) {
                PolicyClient.Answer answer = client.post("/", "");

                assertThat(answer.headers("x-limit")).containsExactly("2", "2b");
                assertThat(answer.headers("x-remaining")).containsExactly("1");
                assertThat(answer.headers("vary")).containsExactly("a", "b");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusalReplacesEarlierLinesToo(PolicyVersion version) throws Exception {
        TestPolicy first = adding("first", Phase.CLIENT_LIMIT, "X-Limit: 1\r\n", PolicyDecision.PASS);
        TestPolicy second = adding("second", Phase.CLIENT_LIMIT, "X-Limit: 2\r\n", new Refusal(429, "limited", ""));
        TestPolicy dry = adding("dry", Phase.CLIENT_LIMIT, "X-Limit: 3\r\n", PolicyDecision.PASS);
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, first.named(), dry.dryRun(), second.named())
                        .start();
                PolicyClient client = version.connect(balancer)) {
            PolicyClient.Answer answer = client.post("/", "");

            assertThat(answer.status()).isEqualTo(429);
            assertThat(answer.headers("x-limit")).containsExactly("2");
        }
    }

    @Test
    void onlyTheLastPolicyOfAReplacingKindRemains() {
        NamedPolicy one = adding("one", Phase.PREFLIGHT, "", PolicyDecision.PASS)
                .replacingSameKind()
                .named();
        NamedPolicy dry = adding("dry", Phase.PREFLIGHT, "", PolicyDecision.PASS)
                .replacingSameKind()
                .dryRun();
        NamedPolicy two = adding("two", Phase.PREFLIGHT, "", PolicyDecision.PASS)
                .replacingSameKind()
                .named();

        assertThat(PolicyChain.of(List.of(one, two, dry), "route").steps()).containsExactly(two, dry);
        assertThat(PolicyChain.of(List.of(dry), "route").steps()).containsExactly(dry);
    }

    @Test
    void grpcRefusalsHaveTheLinesOfPolicies() throws Exception {
        TestPolicy limit = new TestPolicy("limit", Phase.CLIENT_LIMIT, exchange -> {
            exchange.responseLines().appendAscii("Retry-After: 7\r\n");
            exchange.defaultLines().appendAscii("X-Default: 1\r\n");
            return new Refusal(429, "rate_limited", "");
        });
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = before(backend, limit.named()).start();
                Http2Client client = Http2Client.connect(balancer.port())) {
            int stream = client.request(/* ends= */ true, "POST", "/a", "content-type", "application/grpc");
            Http2Response response = client.read(stream);

            assertThat(response.head()).contains("grpc-status: 8", "retry-after: 7", "x-default: 1");
        }
    }
}
