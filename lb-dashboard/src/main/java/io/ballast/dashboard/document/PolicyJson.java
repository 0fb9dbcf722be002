package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.PolicyActivity;
import io.ballast.dashboard.source.PolicyActivity.LimitedKey;
import io.ballast.dashboard.source.PolicyActivity.RefusedRequest;
import io.ballast.dashboard.source.PolicyStats;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Writes policies with their counters, keys and refusals in JSON. */
public final class PolicyJson {

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

    /**
     * Returns policies with their heaviest keys and their last refusals. Must not be called on an event loop, see
     * {@link PolicyActivity}.
     *
     * @param total the number of all policies
     * @param maxRefusals the maximum number of refusals of each policy
     */
    public static ByteBuf page(List<PolicyStats> policies, int total, int maxKeys, int maxRefusals) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("total", total);
            json.array(
                    "policies",
                    () -> policies.forEach(policy -> json.object(() -> {
                        fields(json, policy);
                        json.array(
                                "keys",
                                () -> policy.activity().heaviestKeys(maxKeys).forEach(key -> key(json, key)));
                        json.array(
                                "refusals",
                                () -> policy.activity()
                                        .newestRefusals(maxRefusals)
                                        .forEach(refusal -> refusal(json, refusal)));
                    })));
        }));
    }

    private static void write(JsonWriter json, PolicyStats policy) {
        json.object(() -> fields(json, policy));
    }

    private static void fields(JsonWriter json, PolicyStats policy) {
        json.field("name", policy.name());
        json.field("kind", policy.kind());
        json.field("dry_run", policy.dryRun());
        StatisticJson.fields(json, policy.statistics());
    }

    private static void key(JsonWriter json, LimitedKey key) {
        json.object(() -> {
            key.text().ifPresent(text -> json.field("key", text));
            json.field("id", key.id());
            json.field("refused", key.refused());
            json.field("used", key.used());
            json.field("limit", key.limit());
            json.field("ban_seconds", key.banSeconds());
        });
    }

    private static void refusal(JsonWriter json, RefusedRequest refusal) {
        json.object(() -> {
            json.field("time", refusal.time().toString());
            json.field("client", refusal.client());
            json.field("identity", refusal.identity());
            json.field("route", refusal.route());
            json.field("method", refusal.method());
            json.field("path", refusal.path());
            json.field("status", refusal.status());
            json.field("reason", refusal.reason());
            json.field("dry_run", refusal.dryRun());
        });
    }
}
