package io.ballast.dns.explain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One target of a service at one moment.
 *
 * @param rule selection rule, such as "failover" or "pool eu, round-robin"
 * @param role role within the enclosing target, such as "region eu" or "weight 3"; empty if it has no role
 * @param state state: "up", "down", or the reason why another target is preferred
 * @param used whether the answer to this client may contain the target
 * @param reason reason for the selection; empty if there was no choice
 * @param targets targets that the rule selects from
 * @param backends backends of a pool, or backends that records depend on
 * @param records configured records; empty if the target only has addresses
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

    /** Creates a target without configured records. */
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
     * A configured record of a target.
     *
     * @param data record data in zone file format
     * @param state state: "up" or "down"
     * @param condition plain-text health condition of the record
     * @param used whether the answer may contain the record
     */
    public record ExplainedRecord(String data, String state, String condition, boolean used) {

        Map<String, Object> toMap() {
            return Map.of("data", data, "state", state, "condition", condition, "used", used);
        }
    }

    /**
     * A backend of a target.
     *
     * @param address address as configured
     * @param state state, such as "up" or "down"
     * @param reason reason for the state
     * @param used whether the answer may contain the backend
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
