package io.ballast.config.keys.cluster;

import io.ballast.cluster.config.ClusterPeers;
import io.ballast.config.key.Addresses;
import io.ballast.config.key.BriefType;
import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.Checks;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.config.HostPort;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The value of {@code cluster.peers}: a list of addresses, or a source of addresses. */
final class PeerKeys {

    private static final int LAST_PORT = 65535;
    private static final String EXPECTED_PEER = "host:port, such as 10.0.0.2:7946";

    private static final Type<String> WORD =
            Scalars.matching("word", "1 to 253 characters without spaces", "[!-~]{1,253}");
    private static final Type<URI> URL = Scalars.matching(
                    "URL", "a URL such as https://10.96.0.1:443", "https?://[A-Za-z0-9.:\\[\\]-]+(/[A-Za-z0-9._~/-]*)?")
            .map(PeerKeys::url, URI::toString);

    private static final ShapeBuilder<DiscoveryConfig.Kubernetes> KUBERNETES_KEYS =
            Shape.named("cluster_kubernetes", "A service of Kubernetes whose endpoints are nodes of the cluster.");
    private static final Key<String> SERVICE =
            KUBERNETES_KEYS.required("service", WORD, "name of the service", DiscoveryConfig.Kubernetes::service);
    private static final Key<String> NAMESPACE = KUBERNETES_KEYS.optional(
            "namespace",
            WORD,
            "namespace of the service; default: the namespace of this process",
            DiscoveryConfig.Kubernetes::namespace);
    private static final Key<String> SERVICE_PORT = KUBERNETES_KEYS.optional(
            "port",
            Scalars.matchingOrNumber("port", "a port name or number", "[0-9]{1,5}|[a-z0-9-]{1,15}"),
            "name or number of the port; required if the service has several",
            DiscoveryConfig.Kubernetes::port);
    private static final Key<URI> API = KUBERNETES_KEYS.optional(
            "api",
            URL,
            "URL of the API server; default: the cluster of Kubernetes in which this process runs",
            DiscoveryConfig.Kubernetes::api);
    private static final Key<Path> TOKEN_FILE = KUBERNETES_KEYS.optional(
            "token_file",
            new FileType(),
            "file with the token for the API server; default: the token of the service account",
            DiscoveryConfig.Kubernetes::tokenFile);
    private static final Key<Path> CA_FILE = KUBERNETES_KEYS.optional(
            "ca_file",
            new FileType(),
            "PEM file with the CA certificates for the API server; default: those of the service account",
            DiscoveryConfig.Kubernetes::caFile);

    private static final ShapeBuilder<ClusterPeers> KEYS =
            Shape.named("cluster_peers", "A source of the addresses of other nodes, which is asked again and again.");
    private static final Key<String> DNS = KEYS.optional(
            "dns",
            Scalars.matching(
                    "DNS name",
                    "a name such as nodes.edge.example, or _ballast._tcp.edge.example",
                    "[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?"),
            "name whose addresses (A, AAAA) are those of nodes; if it begins with an underscore, its SRV records are used,"
                    + " which contain the ports",
            ClusterPeers::dns);
    private static final Key<Integer> PORT = KEYS.optional(
            "port",
            Scalars.integer(1, LAST_PORT),
            "port of the nodes with dns; default: the port of bind; not allowed with SRV records",
            ClusterPeers::dnsPort);
    private static final Key<DiscoveryConfig.Kubernetes> KUBERNETES = KEYS.optional(
            "kubernetes",
            KUBERNETES_KEYS.build(values -> new DiscoveryConfig.Kubernetes(
                    values.find(NAMESPACE),
                    values.get(SERVICE),
                    values.find(SERVICE_PORT),
                    values.find(API),
                    values.find(TOKEN_FILE),
                    values.find(CA_FILE))),
            "service whose endpoints (EndpointSlices) are nodes",
            ClusterPeers::kubernetes);

    static {
        KEYS.exactlyOne(DNS, KUBERNETES);
    }

    private static final Type<ClusterPeers> SOURCE = KEYS.build(PeerKeys::source);

    private static final Type<ClusterPeers> LIST = ListType.of(Scalars.TEXT.map(PeerKeys::peer, HostPort::toString))
            .map(ClusterPeers::of, ClusterPeers::addresses);

    static final Type<ClusterPeers> PEERS = new BriefType<>(SOURCE, LIST, PeerKeys::isSource);

    private PeerKeys() {}

    private static boolean isSource(ClusterPeers peers) {
        return peers.dns().isPresent() || peers.kubernetes().isPresent();
    }

    private static ClusterPeers source(Values values) {
        return new ClusterPeers(List.of(), values.find(DNS), values.find(PORT), values.find(KUBERNETES));
    }

    private static HostPort peer(String text) {
        return Addresses.requireConnectable(Addresses.parse(text, EXPECTED_PEER));
    }

    private static URI url(String text) {
        URI url = URI.create(text);
        Checks.that(Optional.ofNullable(url.getHost()).isPresent(), "URL", text, "a URL with a host");
        return url;
    }
}
