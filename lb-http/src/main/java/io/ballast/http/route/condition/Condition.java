package io.ballast.http.route.condition;

import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** Something that a route asks of a request beyond host and path. Immutable; allocates nothing unless it says so. */
public interface Condition {

    /** @param client the client's address, 4 or 16 octets; none by a Unix socket */
    boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch);
}
