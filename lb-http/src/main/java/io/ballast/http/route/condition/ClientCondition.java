package io.ballast.http.route.condition;

import io.ballast.core.net.CidrSet;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** One of the networks holds the client's address, which it does not have by a Unix socket. */
record ClientCondition(CidrSet networks) implements Condition {

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        return client.length > 0 && networks.contains(client);
    }
}
