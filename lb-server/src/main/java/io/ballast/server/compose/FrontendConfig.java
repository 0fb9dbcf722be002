package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.http.config.HttpConfig;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.http.net.PoolTls;
import io.ballast.server.acme.AcmePart;
import java.util.List;

/** Selects the parts of a configuration that the frontends need. Stateless; any thread may call it. */
final class FrontendConfig {

    private FrontendConfig() {}

    /** Returns the configuration of the HTTP frontend, with the files of certificates that are ordered by ACME. */
    static HttpConfig http(BallastConfig config) {
        return new HttpConfig(AcmePart.listeners(config), config.grace());
    }

    /** Returns everything that determines the TLS settings of connections to backends and resolvers. */
    static PoolTls.Inputs backendTls(BallastConfig config) {
        List<PoolTls.Resolvers> resolvers = config.dns().flatMap(DnsConfig::forward).stream()
                .flatMap(forward -> forward.upstreams().stream())
                .filter(upstream -> upstream.protocol().usesTls())
                .map(upstream -> new PoolTls.Resolvers(upstream.pool(), upstream.protocol() == Protocol.DOH))
                .toList();
        return new PoolTls.Inputs(config.listeners(), config.pools(), resolvers);
    }

    /** Returns whether a listener forwards UDP datagrams. */
    static boolean hasUdpListener(BallastConfig config) {
        return config.listeners().stream().anyMatch(listener -> listener.protocol() == ListenerProtocol.UDP);
    }

    /** Returns whether a listener receives datagrams: those that it forwards, or those of HTTP/3. */
    static boolean receivesDatagrams(BallastConfig config) {
        return hasUdpListener(config) || config.listeners().stream().anyMatch(ListenerConfig::http3);
    }
}
