package io.ballast.http.serving;

import io.ballast.http.exchange.Exchange;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.key.RequestKey;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** Passes the affinity keys of a request to its exchange: client address, configured key, or cookie. */
public final class AffinityKeys {

    private AffinityKeys() {}

    /** Sets the affinity keys of {@code exchange}, and the pool of {@code edits}. */
    public static void setKeys(
            Route.ToPool to,
            RoutedRequest request,
            ClientAddress address,
            RouteScratch scratch,
            Exchange exchange,
            HeaderContext edits) {
        exchange.setClientAddress(address.bytes());
        RequestKey key = to.key();
        if (key != null) {
            exchange.setHashKey(key.hash(request, scratch));
        }
        if (edits.session(request, to.pool())) {
            exchange.setAffinityToken(edits.tokenHigh(), edits.tokenLow());
        }
    }
}
