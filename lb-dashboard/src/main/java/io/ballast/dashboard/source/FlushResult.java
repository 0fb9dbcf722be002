package io.ballast.dashboard.source;

/**
 * The result of removing entries from a cache.
 *
 * @param removed the number of entries that were removed on this node
 * @param isPending whether other nodes of a cluster remove their entries later, because no majority is connected
 */
public record FlushResult(int removed, boolean isPending) {

    /** A removal that is complete. */
    public static FlushResult of(int removed) {
        return new FlushResult(removed, /* isPending= */ false);
    }
}
