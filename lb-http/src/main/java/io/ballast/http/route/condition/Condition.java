package io.ballast.http.route.condition;

import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** A condition of a route other than its host and path. Immutable; allocates nothing unless documented. */
public interface Condition {

    /** @param client the client's address, 4 or 16 bytes; empty for a Unix socket */
    boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch);
}
