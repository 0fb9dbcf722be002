package io.ballast.config.keys.forward;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import java.util.Optional;

/** The keys of an upstream, which {@code dns.forward} and its routes share. */
final class UpstreamKeys {

    static final String PROTOCOL =
            "protocol of the resolvers: udp, with tcp for truncated answers; tcp; dot, DNS over TLS; doh,"
                    + " DNS over HTTPS with HTTP/2; dot and doh require a pool with tls";
    static final String CLIENT_SUBNET =
            "whether the client's network is sent to resolvers (EDNS Client Subnet); off by default";
    static final String PATH = "path of the DoH requests; " + Upstream.DEFAULT_PATH + " by default";

    /** A path without a query. */
    static final Type<String> TARGET = Scalars.matching(
            "path", "a path that starts with / and has no query, such as /dns-query", "/[!\"$->@-~]{0,511}");

    private UpstreamKeys() {}

    /** Returns the path to print; empty unless the protocol is DoH. */
    static Optional<String> path(Upstream upstream) {
        return upstream.protocol() == Protocol.DOH ? Optional.of(upstream.path()) : Optional.empty();
    }

    static Upstream upstream(
            Values values,
            Key<String> pool,
            Key<Protocol> protocol,
            Key<String> path,
            Key<Optional<DnsClientSubnetConfig>> clientSubnet) {
        Protocol asked = values.get(protocol);
        if (values.has(path) && asked != Protocol.DOH && !values.isInvalid(protocol)) {
            values.reading().mismatch(values.node(path), "only with protocol: doh");
        }
        return new Upstream(
                values.get(pool), asked, values.find(path).orElse(Upstream.DEFAULT_PATH), values.get(clientSubnet));
    }
}
