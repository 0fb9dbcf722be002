package io.ballast.cluster.fact;

/**
 * A kind of facts: all facts whose keys have the same prefix. {@link FactFamilies} calls the methods of {@link
 * FactListener} for the facts of this family only, in the order of the log, on the fact thread; the methods must not
 * block.
 *
 * <p>To change facts, the family uses the store that it received by {@link #connect}.
 */
public interface FactFamily extends FactListener {

    /** The beginning of all keys of this family: lower-case letters, followed by a slash, such as {@code override/}. */
    String prefix();

    /** The bound of this family. */
    FactBound bound();

    /** Sets the store. Called once, before the other methods of this family, on the thread that starts the cluster. */
    void connect(FactStore store);

    @Override
    default FactBound bound(String key) {
        return bound();
    }
}
