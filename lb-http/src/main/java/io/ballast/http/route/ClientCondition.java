package io.ballast.http.route;

import io.ballast.core.net.CidrSet;

/** One of the networks holds the client's address, which it does not have by a Unix socket. */
record ClientCondition(CidrSet networks) implements Condition {

    @Override
    public boolean holds(RoutedRequest request, byte[] client, RouteScratch scratch) {
        return client.length > 0 && networks.contains(client);
    }
}
