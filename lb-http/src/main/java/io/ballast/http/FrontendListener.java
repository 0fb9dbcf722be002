package io.ballast.http;

import io.ballast.http.exchange.Listener;
import io.ballast.net.tls.TlsContext;
import java.util.List;

/**
 * An active listener, as shown in status reports.
 *
 * @param listener the listener with its counters
 * @param port the actual port, even if the configuration lets the system choose it; 0 for a Unix socket
 * @param identities the TLS identities in the order of the configuration; empty without TLS
 */
public record FrontendListener(Listener listener, int port, List<TlsContext> identities) {

    public FrontendListener {
        identities = List.copyOf(identities);
    }
}
