package io.ballast.config.keys.dashboard;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.Key;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.core.config.HostPort;
import io.ballast.dashboard.config.ProbesConfig;
import io.ballast.net.config.ListenerTls;

/** The keys of {@code probes}. */
public final class ProbesKeys {

    private static final ShapeBuilder<ProbesConfig> KEYS =
            Shape.named("probes", "A listener for /healthz, /readyz and /metrics only, without login.");

    private static final Key<HostPort> BIND = KEYS.required(
            "bind",
            Addresses.bind("probes"),
            "address to listen on, without restrictions; every client that can reach it gets a response; `[::]` accepts"
                    + " IPv4 too",
            ProbesConfig::bind);
    private static final Key<ListenerTls> TLS =
            KEYS.optional("tls", AdminTls.TLS, "TLS; plain HTTP by default", ProbesConfig::tls);

    static {
        KEYS.onReload(ReloadEffect.IMMEDIATE);
        KEYS.onReload(ReloadEffect.NEW_CONNECTIONS, TLS);
    }

    public static final Type<ProbesConfig> PROBES =
            KEYS.build(values -> new ProbesConfig(values.get(BIND), values.find(TLS)));

    private ProbesKeys() {}
}
