package io.ballast.http.serving;

import io.ballast.http.exchange.Exchange;
import io.ballast.http.forwarding.ClientAddress;
import io.ballast.http.route.destination.Route;
import io.ballast.http.route.key.RequestKey;
import io.ballast.http.route.request.RouteScratch;
import io.ballast.http.route.request.RoutedRequest;

/** What ties a request to a backend of its pool, or draws it there: where it comes from, a key in it, or a cookie. */
public final class RequestTies {

    private RequestTies() {}

    /** Tells the exchange that is about to begin, and the edits of its heads. */
    public static void tie(
            Route.ToPool to,
            RoutedRequest request,
            ClientAddress address,
            RouteScratch scratch,
            Exchange exchange,
            ExchangeEdits edits) {
        exchange.address(address.octets());
        RequestKey key = to.key();
        if (key != null) {
            exchange.key(key.hash(request, scratch));
        }
        if (edits.session(request, to.pool())) {
            exchange.token(edits.tokenHigh(), edits.tokenLow());
        }
    }
}
