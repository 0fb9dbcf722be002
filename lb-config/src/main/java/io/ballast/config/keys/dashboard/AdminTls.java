package io.ballast.config.keys.dashboard;

import io.ballast.config.key.Type;
import io.ballast.config.keys.http.ListenerTlsKeys;
import io.ballast.core.Checks;
import io.ballast.net.config.ListenerTls;

/**
 * The keys of {@code tls} for the listeners of the dashboard and of agents. They are the same as for other listeners, except
 * that {@code alpn}, {@code hsts}, {@code acme} and {@code on_demand} are not allowed.
 */
public final class AdminTls {

    public static final Type<ListenerTls> TLS = ListenerTlsKeys.TLS.map(AdminTls::withoutProtocols, tls -> tls);

    private AdminTls() {}

    private static ListenerTls withoutProtocols(ListenerTls tls) {
        Checks.that(tls.alpn().isEmpty(), "alpn", tls.alpn(), "no alpn: only HTTP/1.1 is supported here");
        Checks.that(tls.hsts().isEmpty(), "hsts", "given", "no hsts here; set it on a listener for the same host");
        Checks.that(tls.acme().isEmpty(), "acme", tls.acme(), "no acme here; set it on a listener");
        Checks.that(!tls.onDemand(), "on_demand", "true", "no on_demand here; set it on a listener");
        return tls;
    }
}
