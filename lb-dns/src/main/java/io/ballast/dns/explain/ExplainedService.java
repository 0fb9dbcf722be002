package io.ballast.dns.explain;

import java.util.List;

/**
 * A service whose answers can be explained.
 *
 * @param name absolute name without the final dot
 * @param types record types: A and AAAA, or the type of its configured records
 */
public record ExplainedService(String name, List<String> types) {

    public ExplainedService {
        types = List.copyOf(types);
    }
}
