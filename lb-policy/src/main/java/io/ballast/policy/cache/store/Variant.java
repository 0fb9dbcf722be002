package io.ballast.policy.cache.store;

/**
 * One of the responses for a URL.
 *
 * @param context the route, and the values of headers that select a response although {@code Vary} does not name them
 * @param selection the values of the request headers that {@code Vary} names; see {@code VaryRule.select}
 * @param response the response
 */
public record Variant(String context, String selection, StoredResponse response) {

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
