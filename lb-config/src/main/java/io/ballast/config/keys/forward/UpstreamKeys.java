package io.ballast.config.keys.forward;

import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.Checks;
import io.ballast.dns.config.forward.DnsClientSubnetConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.config.forward.ForwardableOptions;
import java.util.List;
import java.util.Optional;

/** The keys of an upstream, which {@code dns.forward} and its routes share. */
final class UpstreamKeys {

    static final String PROTOCOL =
            "protocol of the resolvers: udp, with tcp for truncated answers; tcp; dot, DNS over TLS; doh,"
                    + " DNS over HTTPS with HTTP/2; dot and doh require a pool with tls";
    static final String CLIENT_SUBNET =
            "whether the client's network is sent to resolvers (EDNS Client Subnet); off by default";
    static final String EDNS_OPTIONS =
            "codes of the EDNS options of clients that are forwarded to the resolvers, such as 65001 for a MAC address"
                    + " that dnsmasq adds; none by default. Queries with such options are not answered from the cache";
    static final String PATH = "path of the DoH requests; " + Upstream.DEFAULT_PATH + " by default";

    /** A path without a query. */
    static final Type<String> TARGET = Scalars.matching(
            "path", "a path that starts with / and has no query, such as /dns-query", "/[!\"$->@-~]{0,511}");

    /** A code, or a list of codes, of EDNS options. */
    static final Type<List<Integer>> OPTION_CODES = OneOrMore.of(
                    Scalars.integer(1, ForwardableOptions.MAX_CODE).map(ForwardableOptions::check, code -> code),
                    "option")
            .map(UpstreamKeys::limited, codes -> codes);

    private UpstreamKeys() {}

    private static List<Integer> limited(List<Integer> codes) {
        Checks.that(
                codes.size() <= ForwardableOptions.MAX_CODES,
                "edns_options",
                codes.size() + " codes",
                "at most " + ForwardableOptions.MAX_CODES);
        return codes;
    }

    /** Returns the option codes to print; empty if there are none. */
    static Optional<List<Integer>> options(Upstream upstream) {
        return upstream.ednsOptions().isEmpty() ? Optional.empty() : Optional.of(upstream.ednsOptions());
    }

    /** Returns the path to print; empty unless the protocol is DoH. */
    static Optional<String> path(Upstream upstream) {
        return upstream.protocol() == Protocol.DOH ? Optional.of(upstream.path()) : Optional.empty();
    }

    static Upstream upstream(
            Values values,
            Key<String> pool,
            Key<Protocol> protocol,
            Key<String> path,
            Key<Optional<DnsClientSubnetConfig>> clientSubnet,
            Key<List<Integer>> ednsOptions) {
        Protocol selected = values.get(protocol);
        if (values.has(path) && selected != Protocol.DOH && !values.isInvalid(protocol)) {
            values.reading().mismatch(values.node(path), "only with protocol: doh");
        }
        return new Upstream(
                values.get(pool),
                selected,
                values.find(path).orElse(Upstream.DEFAULT_PATH),
                values.get(clientSubnet),
                values.find(ednsOptions).orElse(List.of()));
    }
}
