package io.ballast.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cli.api.ApiObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PolicyReportTest {

    private static Map<String, Object> key(String text, int refused, int banSeconds) {
        return Map.of("key", text, "refused", refused, "used", 4, "limit", 5, "ban_seconds", banSeconds);
    }

    private static Map<String, Object> unnamed() {
        return Map.of("id", "#0badcafe", "refused", 0, "used", 3, "limit", 5);
    }

    private static Map<String, Object> refusal(String time, boolean dryRun) {
        return Map.of(
                "time",
                time,
                "client",
                "192.0.2.9",
                "status",
                429,
                "reason",
                "rate_limited",
                "method",
                "GET",
                "path",
                "/a",
                "dry_run",
                dryRun);
    }

    private static Map<String, Object> policy(String name, List<?> keys, List<?> refusals) {
        return Map.of("name", name, "kind", "rate_limit", "keys", keys, "refusals", refusals);
    }

    private static PolicyReport report(boolean isFull, Object... policies) {
        return new PolicyReport(new ApiObject(Map.of("policies", List.of(policies))), isFull);
    }

    @Test
    void shortFormHasThreeRefusedKeysOfEachPolicy() {
        List<Object> keys = new ArrayList<>();
        IntStream.range(1, 6).forEach(i -> keys.add(key("192.0.2." + i, 10 - i, 0)));
        keys.add(unnamed());

        List<String> lines = report(false, policy("limit", keys, List.of(refusal("2026-01-01T00:00:00Z", false))))
                .lines();

        assertThat(lines).hasSize(5);
        assertThat(lines.get(1)).startsWith("REFUSED BY");
        assertThat(lines.get(2)).matches("limit +192.0.2.1 +9 +4 +5 +-");
        assertThat(lines.get(4)).contains("192.0.2.3");
    }

    @Test
    void policiesWithoutRefusalsNeedNoLines() {
        assertThat(report(false, policy("limit", List.of(unnamed()), List.of())).lines())
                .isEmpty();
        assertThat(report(true, policy("limit", List.of(), List.of())).lines()).isEmpty();
    }

    @Test
    void fullFormHasKeysWithoutRefusalsAndBans() {
        List<String> lines = report(true, policy("limit", List.of(key("192.0.2.1", 9, 30), unnamed()), List.of()))
                .lines();

        assertThat(lines.get(2)).endsWith("banned for 30 s");
        assertThat(lines.get(3)).matches("limit +#0badcafe +0 +3 +5 +-");
    }

    @Test
    void refusalsOfAllPoliciesAreSortedByTime() {
        List<String> lines = report(
                        true,
                        policy("one", List.of(), List.of(refusal("2026-01-01T00:00:01.5Z", false))),
                        policy("two", List.of(), List.of(refusal("2026-01-01T00:00:02Z", true))))
                .lines();

        assertThat(lines.get(1)).startsWith("REFUSED AT");
        assertThat(lines.get(2)).startsWith("2026-01-01T00:00:02Z").contains("two", "rate_limited (dry run)");
        assertThat(lines.get(3))
                .startsWith("2026-01-01T00:00:01Z")
                .contains("one")
                .endsWith("/a");
    }

    @Test
    void programsGetRefusalsOnlyInFullForm() {
        Map<String, Object> policy = policy("one", List.of(), List.of(refusal("2026-01-01T00:00:01Z", false)));

        assertThat(report(false, policy).tree().get(0))
                .containsEntry("name", "one")
                .doesNotContainKey("refusals");
        assertThat(report(true, policy).tree().get(0)).containsKey("refusals");
    }
}
