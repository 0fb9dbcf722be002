package io.ballast.policy;

import static io.ballast.policy.testing.TestPolicies.basic;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.policy.NamedPolicy;
import io.ballast.http.policy.PolicyClient;
import io.ballast.http.policy.PolicyVersion;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.BasicConfig;
import io.ballast.policy.config.CombinationConfig;
import io.ballast.policy.config.CombinationConfig.Mode;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.PolicyRule;
import io.ballast.policy.testing.TestPolicies;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoliciesTest {

    private static final PolicyRule STAFF = BasicConfig.of(List.of());

    private static PolicyConfig config(String name, PolicyRule rule) {
        return new PolicyConfig(name, rule, /* dryRun= */ false);
    }

    private static int login(TestBackend backend, NamedPolicy policy) throws Exception {
        try (TestBalancer balancer = TestPolicies.start(backend, policy);
                PolicyClient client = PolicyVersion.HTTP_1.connect(balancer)) {
            return client.post("/", "", "Authorization", basic("alice", "guess"))
                    .status();
        }
    }

    @Test
    void combinationSharesTheStateOfItsPolicies() throws Exception {
        try (TestPolicies testing = new TestPolicies();
                TestBackend backend = TestBackend.playing(Script.ok("hello"))) {
            PolicyConfig either = config("either", new CombinationConfig(Mode.ANY, List.of("staff")));
            Policies first = Policies.none(testing.environment()).next(List.of(either, config("staff", STAFF)));
            for (int i = 0; i < 10; i++) {
                assertThat(login(backend, first.find(List.of("either")).get(0))).isEqualTo(401);
            }
            Policies next = first.next(List.of(config("staff", STAFF), either));

            assertThat(login(backend, first.find(List.of("staff")).get(0))).isEqualTo(429);
            assertThat(login(backend, next.find(List.of("staff")).get(0))).isEqualTo(429);
            assertThat(login(backend, next.find(List.of("either")).get(0))).isEqualTo(429);
        }
    }

    @Test
    void changedPolicyReplacesTheMemberOfAnUnchangedCombination() throws Exception {
        try (TestPolicies testing = new TestPolicies();
                TestBackend backend = TestBackend.playing(Script.ok("hello"))) {
            PolicyConfig either = config("either", new CombinationConfig(Mode.ANY, List.of("staff")));
            Policies first = Policies.none(testing.environment()).next(List.of(either, config("staff", STAFF)));
            for (int i = 0; i < 10; i++) {
                login(backend, first.find(List.of("either")).get(0));
            }
            PolicyRule changed = BasicConfig.of(List.of()).withHeader("X-User");
            Policies next = first.next(List.of(either, config("staff", changed)));

            assertThat(login(backend, next.find(List.of("either")).get(0))).isEqualTo(401);
        }
    }
}
