package io.ballast.dns.explain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One target of a service at one moment.
 *
 * @param rule how it chooses: "failover", "pool eu, round-robin"
 * @param role what it is to the target around it: "region eu", "weight 3"; empty if nothing in particular
 * @param state "up", "down", or why another is preferred to it
 * @param used whether it may answer this client
 * @param reason why it chose as it did; empty if there was nothing to choose
 * @param targets what it chose among
 * @param backends of a pool, or those that records depend on
 * @param records as they are written; none if there are only addresses
 */
public record ExplainedTarget(
        String rule,
        String role,
        String state,
        boolean used,
        String reason,
        List<ExplainedTarget> targets,
        List<ExplainedBackend> backends,
        List<ExplainedRecord> records) {

    public ExplainedTarget {
        targets = List.copyOf(targets);
        backends = List.copyOf(backends);
        records = List.copyOf(records);
    }

    /** One without written records. */
    public ExplainedTarget(
            String rule,
            String role,
            String state,
            boolean used,
            String reason,
            List<ExplainedTarget> targets,
            List<ExplainedBackend> backends) {
        this(rule, role, state, used, reason, targets, backends, List.of());
    }

    /**
     * One record.
     *
     * @param data as zone files have it
     * @param state "up" or "down"
     * @param condition what must be healthy for it to count, in words
     * @param used whether it may be in the answer
     */
    public record ExplainedRecord(String data, String state, String condition, boolean used) {

        Map<String, Object> toMap() {
            return Map.of("data", data, "state", state, "condition", condition, "used", used);
        }
    }

    /**
     * One backend.
     *
     * @param address as configured
     * @param state "up", "down" and so on
     * @param reason why
     * @param used whether it may be in the answer
     */
    public record ExplainedBackend(String address, String state, String reason, boolean used) {

        Map<String, Object> toMap() {
            return Map.of("address", address, "state", state, "reason", reason, "used", used);
        }
    }

    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("rule", rule);
        map.put("role", role);
        map.put("state", state);
        map.put("used", used);
        map.put("reason", reason);
        map.put("targets", targets.stream().map(ExplainedTarget::toMap).toList());
        map.put("backends", backends.stream().map(ExplainedBackend::toMap).toList());
        if (!records.isEmpty()) {
            map.put("records", records.stream().map(ExplainedRecord::toMap).toList());
        }
        return map;
    }
}
