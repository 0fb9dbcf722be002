package io.ballast.dns.querylog;

/**
 * Converts a decider, the object that decided a query, such as a filter list or a resolver, to its name in
 * logs. Called on the log's thread.
 */
@FunctionalInterface
public interface DeciderLabeler {

    /**
     * The name of {@code decider}, with the detail from its {@link Decision}; "" if the decider has no name.
     */
    String name(Object decider, long detail);
}
