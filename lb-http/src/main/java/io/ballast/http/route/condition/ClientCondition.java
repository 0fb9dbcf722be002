package io.ballast.http.route.condition;

import io.ballast.core.net.CidrSet;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** One of the networks holds the client's address. */
record ClientCondition(CidrSet networks) implements Condition {

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        return networks.contains(client);
    }
}
