package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.PolicyStats;
import java.util.List;

/** Writes policies with their counters in JSON. */
final class PolicyJson {

    /** Maximum number of policies that the page shows. */
    private static final int MAX_LIVE = 100;

    private PolicyJson() {}

    /** Writes all policies as a field of the open object. */
    static void field(JsonWriter json, List<PolicyStats> policies) {
        json.array("policies", () -> policies.forEach(policy -> write(json, policy)));
    }

    /** Writes the first policies as an array. */
    static void live(JsonWriter json, List<PolicyStats> policies) {
        json.array(() -> policies.stream().limit(MAX_LIVE).forEach(policy -> write(json, policy)));
    }

    private static void write(JsonWriter json, PolicyStats policy) {
        json.object(() -> {
            json.field("name", policy.name());
            json.field("kind", policy.kind());
            json.field("dry_run", policy.dryRun());
            StatisticJson.fields(json, policy.statistics());
        });
    }
}
