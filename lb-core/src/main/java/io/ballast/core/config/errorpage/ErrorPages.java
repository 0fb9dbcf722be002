package io.ballast.core.config.errorpage;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The error pages of a listener, route or pool.
 *
 * @param pages the pages by status, in the order of the file
 * @param intercept the statuses of backend responses that are replaced by error pages; absent to use the setting of the
 *     next less specific level. A pool is more specific than a route, and a route is more specific than a listener
 */
public record ErrorPages(Map<ErrorStatuses, ErrorPage> pages, Optional<List<ErrorStatuses>> intercept) {

    /** No pages. */
    public static final ErrorPages NONE = new ErrorPages(Map.of(), Optional.empty());

    public ErrorPages {
        pages = Collections.unmodifiableMap(new LinkedHashMap<>(pages));
        intercept = intercept.map(List::copyOf);
    }

    public boolean isEmpty() {
        return pages.isEmpty() && intercept.isEmpty();
    }
}
