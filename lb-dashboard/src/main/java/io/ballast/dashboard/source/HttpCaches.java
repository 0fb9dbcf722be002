package io.ballast.dashboard.source;

import java.util.Optional;

/** The caches of HTTP responses. Called outside the dashboard's event loop; may block for a few seconds. */
@FunctionalInterface
public interface HttpCaches {

    /**
     * The responses to remove.
     *
     * @param policy the name of a cache; empty for all caches
     * @param url an absolute URL, or the beginning of a URL followed by {@code *}; empty for all URLs
     * @param tag a tag of the responses; empty for any
     */
    record Selection(Optional<String> policy, Optional<String> url, Optional<String> tag) {}

    /**
     * Removes responses.
     *
     * @param who the operator
     * @throws java.util.NoSuchElementException if there is no such cache
     * @throws io.ballast.core.control.RejectedChangeException if the cluster rejects the removal, so that other nodes
     *     do not perform it
     */
    FlushResult purge(Selection selection, String who);
}
