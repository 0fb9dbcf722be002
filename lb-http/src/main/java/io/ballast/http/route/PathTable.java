package io.ballast.http.route;

import org.jspecify.annotations.Nullable;

/**
 * The paths of one host. Immutable.
 *
 * <p>A path is hashed once; the hash at the end of each segment is that of a prefix. Longer prefixes are linked to
 * shorter ones when the table is compiled.
 */
final class PathTable {

    private final OctetTable<Candidate[]> exact;
    private final OctetTable<PathPrefix> prefixes;
    private final PathPrefix root;
    private final int longest;

    PathTable(OctetTable<Candidate[]> exact, OctetTable<PathPrefix> prefixes, PathPrefix root) {
        this.exact = exact;
        this.prefixes = prefixes;
        this.root = root;
        this.longest = Math.max(exact.longest(), prefixes.longest());
    }

    /** The first route, most specific path first, all of whose conditions hold; its path is normalised in scratch. */
    @Nullable Destination find(RoutedRequest request, byte[] client, RouteScratch scratch) {
        PathPrefix prefix = root;
        if (longest > 0) {
            byte[] bytes = scratch.path.bytes();
            int from = scratch.path.from();
            int to = scratch.path.to();
            int limit = Math.min(to, from + longest);
            int hash = 0;
            for (int i = from; ; i++) {
                if (i > from && (i == to || bytes[i] == '/')) {
                    PathPrefix longer = prefixes.get(bytes, from, i, hash);
                    prefix = longer == null ? prefix : longer;
                }
                if (i == limit) {
                    break;
                }
                hash = OctetTable.step(hash, bytes[i]);
            }
            Candidate[] candidates = limit == to ? exact.get(bytes, from, to, hash) : null;
            Destination found = candidates == null ? null : Candidate.first(candidates, request, client, scratch);
            if (found != null) {
                return found;
            }
        }
        for (PathPrefix each = prefix; each != null; each = each.shorter()) {
            Destination found = Candidate.first(each.candidates(), request, client, scratch);
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
