package io.ballast.dashboard.config;

import java.util.List;

/**
 * The external overrides that a token of the role {@link Role#OVERRIDE} may set, read and remove.
 *
 * @param source the only source whose overrides the token may set
 * @param pools the names of the pools whose backends the token may override
 */
public record OverrideScope(String source, List<String> pools) {

    public OverrideScope {
        pools = List.copyOf(pools);
    }

    /** Returns whether the scope includes a pool. */
    public boolean includes(String pool) {
        return pools.contains(pool);
    }
}
