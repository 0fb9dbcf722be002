package io.ballast.policy.cache.store;

/**
 * One of the responses for a URL.
 *
 * @param context the route, and the values of headers that select a response although {@code Vary} does not name them
 * @param selection the values of the request headers that {@code Vary} names; see {@code VaryRule.select}
 * @param response the response
 */
public record Variant(String context, String selection, StoredResponse response) {

    /** The estimated memory of the Java objects, without the texts and the response. */
    private static final int OBJECT_BYTES = 160;

    /** The memory of the variant in bytes, without its response. Both texts count: clients choose parts of them. */
    long ownBytes() {
        return (long) OBJECT_BYTES + context.length() + selection.length();
    }

    /** The bytes that the variant and its response take from the budget. */
    long memoryBytes() {
        return ownBytes() + response.memoryBytes();
    }

    /** Releases the store's reference to the response, and the memory of the variant. */
    void release(MemoryBudget budget) {
        budget.give(ownBytes());
        response.release();
    }

    /** Whether a response for the same requests would replace this one. */
    boolean isReplacedBy(Variant other) {
        return context.equals(other.context)
                && selection.equals(other.selection)
                && response.head()
                        .metadata()
                        .vary()
                        .equals(other.response.head().metadata().vary());
    }
}
