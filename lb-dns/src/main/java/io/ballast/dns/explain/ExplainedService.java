package io.ballast.dns.explain;

import java.util.List;

/**
 * A service whose answers can be explained.
 *
 * @param name its own, absolute, without the final dot
 * @param types of its records: A and AAAA, or the one whose records are written
 */
public record ExplainedService(String name, List<String> types) {

    public ExplainedService {
        types = List.copyOf(types);
    }
}
