package io.ballast.cluster.fact;

import io.ballast.core.Checks;

/**
 * The maximum number and the maximum total size of the facts of a family. Immutable.
 *
 * <p>The node that makes a change checks the bound. Changes of several nodes at the same moment can exceed it by a few
 * facts; the bounds of {@link FactTable} are exact.
 *
 * @param facts the largest number of facts
 * @param bytes the largest sum of the lengths of all keys and values, in bytes
 */
public record FactBound(int facts, long bytes) {

    /** The bounds of all facts together. */
    static final FactBound ALL = new FactBound(FactTable.MAX_FACTS, FactTable.MAX_BYTES);

    public FactBound {
        Checks.that(facts > 0, "facts", facts, "> 0");
        Checks.that(bytes > 0, "bytes", bytes, "> 0");
    }
}
