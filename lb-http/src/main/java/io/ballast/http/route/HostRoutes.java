package io.ballast.http.route;

import io.ballast.http.route.destination.Destination;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one host or host suffix, by path. Immutable.
 *
 * <p>A path is hashed once; the hash at the end of each segment is the hash of the prefix that ends there.
 * Longer prefixes are linked to shorter prefixes when the table is compiled.
 */
final class HostRoutes {

    private final ByteTable<PathRoutes> exact;
    private final ByteTable<PathRoutes> prefixes;
    private final PathRoutes root;
    private final int longest;
    private final @Nullable HostRoutes next;

    /**
     * @param root the routes that match every path
     * @param next the routes of the next less specific host, used when none of this host's routes matches a
     *     request
     */
    HostRoutes(
            ByteTable<PathRoutes> exact, ByteTable<PathRoutes> prefixes, PathRoutes root, @Nullable HostRoutes next) {
        this.exact = exact;
        this.prefixes = prefixes;
        this.root = root;
        this.longest = Math.max(exact.longest(), prefixes.longest());
        this.next = next;
    }

    @Nullable HostRoutes next() {
        return next;
    }

    /**
     * The first route whose conditions all hold; routes with more specific paths are checked first. Uses the
     * normalized path in {@code scratch}.
     */
    @Nullable Destination find(RoutedRequest request, byte[] client, RouteScratch scratch) {
        if (longest == 0) {
            return root.find(request, client, scratch);
        }
        byte[] bytes = scratch.path().bytes();
        int from = scratch.path().from();
        int to = scratch.path().to();
        int limit = Math.min(to, from + longest);
        PathRoutes prefix = root;
        int hash = 0;
        for (int i = from; ; i++) {
            if (i > from && (i == to || bytes[i] == '/')) {
                PathRoutes longer = prefixes.get(bytes, from, i, hash);
                prefix = longer == null ? prefix : longer;
            }
            if (i == limit) {
                break;
            }
            hash = ByteTable.step(hash, bytes[i]);
        }
        PathRoutes whole = limit == to ? exact.get(bytes, from, to, hash) : null;
        Destination found = whole == null ? null : whole.find(request, client, scratch);
        return found == null ? prefix.find(request, client, scratch) : found;
    }
}
