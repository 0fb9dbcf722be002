package io.ballast.http.route.condition;

import io.ballast.core.net.CidrSet;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/**
 * Holds if the client's address is in one of the networks. Never holds for a Unix socket, which has no
 * address.
 */
record ClientCondition(CidrSet networks) implements Condition {

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        return client.length > 0 && networks.contains(client);
    }
}
