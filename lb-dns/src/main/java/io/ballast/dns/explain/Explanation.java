package io.ballast.dns.explain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The explanation of a service's answer, for one record type and one client.
 *
 * @param name absolute name of the service
 * @param type record type
 * @param client plain-text client address and location
 * @param decision plain-text description of the deciding rule
 * @param answer addresses or record data that the answer may contain; empty for NODATA and SERVFAIL
 * @param ttlSeconds TTL of the answer
 * @param ttlReason reason for the TTL
 * @param target root of the target tree
 */
public record Explanation(
        String name,
        String type,
        String client,
        String decision,
        List<String> answer,
        int ttlSeconds,
        String ttlReason,
        ExplainedTarget target) {

    public Explanation {
        answer = List.copyOf(answer);
    }

    /** Converts the explanation to strings, numbers, lists and maps, so that it can be written as JSON. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", name);
        map.put("type", type);
        map.put("client", client);
        map.put("decision", decision);
        map.put("answer", answer);
        map.put("ttl_seconds", ttlSeconds);
        map.put("ttl_reason", ttlReason);
        map.put("target", target.toMap());
        return map;
    }
}
