package io.ballast.dns.querylog;

/** Tells what is called what it was that decided about a query. Called on the log's thread. */
@FunctionalInterface
public interface DeciderNames {

    /** The name of {@code decider}, as a {@link Decision} was told of it; "" if it has none. */
    String name(Object decider, long detail);
}
