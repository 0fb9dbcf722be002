package io.ballast.http;

import io.ballast.http.exchange.Listener;
import io.ballast.net.tls.TlsContext;
import java.util.List;

/**
 * A listener that is in force, as those see it who report of it.
 *
 * @param listener with its counters
 * @param port the one that it really has, if it asked for any; 0 for a Unix socket
 * @param identities whom it proves to be, in the order of its configuration; empty without TLS
 */
public record FrontendListener(Listener listener, int port, List<TlsContext> identities) {

    public FrontendListener {
        identities = List.copyOf(identities);
    }
}
