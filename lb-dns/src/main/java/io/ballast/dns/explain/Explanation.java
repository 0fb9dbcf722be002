package io.ballast.dns.explain;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why a service answers what it answers, for one type of records and one client.
 *
 * @param name of the service, absolute
 * @param type of the records
 * @param client who asks and where that is, in words
 * @param decision what decided in the end, in words
 * @param answer the addresses, or the data of the records, that may be in the answer; none for NODATA and SERVFAIL
 * @param ttlSeconds of these
 * @param ttlReason why
 * @param target what the service chose among
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

    /** The same as texts, numbers, lists and maps, as JSON has them. */
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
