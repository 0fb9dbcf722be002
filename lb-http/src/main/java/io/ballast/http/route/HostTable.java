package io.ballast.http.route;

import org.jspecify.annotations.Nullable;

/**
 * The hosts of a routing table. Immutable.
 *
 * <p>A name is hashed once from its end, which yields the hash of each suffix on the way. The fallback of
 * each host is linked when the table is compiled: an exact name is linked to its longest suffix, a suffix to
 * the next shorter one, and the last suffix to the routes for any host.
 */
final class HostTable {

    private final ByteTable<HostRoutes> exact;
    private final ByteTable<HostRoutes> suffixes;
    private final @Nullable HostRoutes any;

    HostTable(ByteTable<HostRoutes> exact, ByteTable<HostRoutes> suffixes, @Nullable HostRoutes any) {
        this.exact = exact;
        this.suffixes = suffixes;
        this.any = any;
    }

    /**
     * Returns the routes of the most specific matching host, which are linked to the routes of less specific
     * hosts. Ignores a trailing dot of the host.
     */
    @Nullable HostRoutes find(byte[] bytes, int from, int end) {
        if (exact.isEmpty() && suffixes.isEmpty()) {
            return any;
        }
        int to = end > from && bytes[end - 1] == '.' ? end - 1 : end;
        boolean hasSuffixes = !suffixes.isEmpty();
        HostRoutes suffix = any;
        int hash = 0;
        for (int i = to - 1; i >= from; i--) {
            byte b = ByteTable.lower(bytes[i]);
            hash = ByteTable.step(hash, b);
            if (hasSuffixes && b == '.' && i > from) {
                HostRoutes longer = suffixes.get(bytes, i, to, hash);
                suffix = longer == null ? suffix : longer;
            }
        }
        HostRoutes found = exact.get(bytes, from, to, hash);
        return found == null ? suffix : found;
    }
}
