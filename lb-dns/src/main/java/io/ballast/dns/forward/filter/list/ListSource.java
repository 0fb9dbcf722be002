package io.ballast.dns.forward.filter.list;

import io.ballast.core.Checks;
import io.ballast.dns.forward.filter.FilterList;
import io.ballast.dns.forward.filter.ListKind;
import java.time.Duration;

/**
 * A configured list.
 *
 * @param id id of the list, which is its bit in the masks of groups; if rules of lists conflict, the lower id
 *     wins
 * @param isEnabled whether the list is read at all
 * @param refresh interval of downloads, with a jitter of one tenth
 * @param timeout time limit of the whole download
 * @param maxBytes maximum size of the list, both compressed and uncompressed
 * @param shrinkLimit minimum share of the previous number of rules that a new version must have; 0 to 1
 */
public record ListSource(
        int id,
        String name,
        ListKind kind,
        boolean isEnabled,
        ListLocation location,
        Duration refresh,
        Duration timeout,
        long maxBytes,
        double shrinkLimit) {

    public static final Duration DEFAULT_REFRESH = Duration.ofDays(1);
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);
    public static final long DEFAULT_MAX_BYTES = 64L << 20;
    public static final double DEFAULT_SHRINK_LIMIT = 0.5;

    public ListSource {
        Checks.between(id, 0, FilterList.MAX_ID, "list");
        Checks.positive(refresh, "refresh");
        Checks.positive(timeout, "timeout");
        Checks.that(maxBytes > 0, "max-bytes", maxBytes, "> 0");
        Checks.that(shrinkLimit >= 0 && shrinkLimit <= 1, "shrink_limit", shrinkLimit, "0..1");
    }

    /** Creates an enabled list with the default settings. */
    public static ListSource of(int id, String name, ListKind kind, ListLocation location) {
        return new ListSource(
                id,
                name,
                kind,
                /* isEnabled= */ true,
                location,
                DEFAULT_REFRESH,
                DEFAULT_TIMEOUT,
                DEFAULT_MAX_BYTES,
                DEFAULT_SHRINK_LIMIT);
    }
}
