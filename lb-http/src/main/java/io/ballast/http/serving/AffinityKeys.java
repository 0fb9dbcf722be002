package io.ballast.http.serving;

import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.relay.ClientKeys;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.key.RequestKey;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** Sets the keys of a request for the strategies: client address, configured key, or cookie. */
public final class AffinityKeys {

    private AffinityKeys() {}

    /** Sets the affinity keys of {@code keys}, and the pool of {@code edits}. */
    public static void setKeys(
            Route.ToPool to,
            RoutedRequest request,
            ClientAddress address,
            RouteScratch scratch,
            ClientKeys keys,
            HeaderContext edits) {
        keys.setAddress(address.bytes());
        RequestKey key = to.key();
        if (key != null) {
            keys.setRequestKey(key.hash(request, scratch));
        }
        if (edits.session(request, to.pool())) {
            keys.setToken(edits.tokenHigh(), edits.tokenLow());
        }
    }
}
