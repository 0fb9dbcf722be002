package io.ballast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServiceChoiceTest {

    @Test
    void regionsAreTheOnesInUse() {
        Map<String, Object> near = target("pool eu, round-robin", "region eu", true, List.of());
        Map<String, Object> far = target("pool us, round-robin", "region us", false, List.of());
        Map<String, Object> inside = target("failover", "", true, List.of(near));
        Map<String, Object> whole = target("geo", "", true, List.of(inside, far));

        assertThat(ServiceChoice.rule(whole)).isEqualTo("geo");
        assertThat(ServiceChoice.regions(whole)).containsExactly("eu");
    }

    @Test
    void anEmptyExplanationHasNoRuleAndNoRegions() {
        assertThat(ServiceChoice.rule(null)).isEmpty();
        assertThat(ServiceChoice.regions("nothing")).isEmpty();
        assertThat(ServiceChoice.regions(target("pool web", "weight 3", true, List.of())))
                .isEmpty();
    }

    private static Map<String, Object> target(String rule, String role, boolean used, List<?> targets) {
        return Map.of("rule", rule, "role", role, "used", used, "targets", targets);
    }
}
