package io.ballast.replication.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.config.ClusterPeers;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PeerSourceTest {

    private static final List<DiscoveredBackend> TWO_NODES = List.of(at("10.0.0.2", 7946), at("2001:db8::3", 7946));

    private final List<List<InetSocketAddress>> dialed = new ArrayList<>();
    private Source.@Nullable Listener listener;
    private boolean isClosed;

    private final PeerSource peers = new PeerSource(
            new Source() {
                @Override
                public void start(Listener target) {
                    listener = target;
                }

                @Override
                public void close() {
                    isClosed = true;
                }
            },
            "nodes.edge.example",
            dialed::add);

    private static DiscoveredBackend at(String host, int port) {
        return DiscoveredBackend.at(new HostPort(host, port));
    }

    @Test
    void dialsChangedAddressesAndKeepsThemAfterFailures() {
        peers.start();
        Source.Listener source = Objects.requireNonNull(listener);

        source.onBackends(TWO_NODES);
        source.onBackends(TWO_NODES);
        source.onFailure("timeout");
        source.onBackends(List.of(at("10.0.0.4", 7947)));
        peers.close();

        assertThat(dialed)
                .containsExactly(
                        List.of(new InetSocketAddress("10.0.0.2", 7946), new InetSocketAddress("2001:db8::3", 7946)),
                        List.of(new InetSocketAddress("10.0.0.4", 7947)));
        assertThat(isClosed).isTrue();
    }

    @Test
    void nameWithUnderscoreHasSrvRecords() {
        assertThat(dns("nodes.edge.example", Optional.empty()))
                .contains(new DiscoveryConfig.Names("nodes.edge.example", 7946));
        assertThat(dns("nodes.edge.example", Optional.of(7947)))
                .contains(new DiscoveryConfig.Names("nodes.edge.example", 7947));
        assertThat(dns("_ballast._tcp.edge.example", Optional.empty()))
                .contains(new DiscoveryConfig.Srv("_ballast._tcp.edge.example"));
        assertThat(ClusterPeers.NONE.source(7946)).isEmpty();
    }

    private static Optional<DiscoveryConfig> dns(String name, Optional<Integer> port) {
        return new ClusterPeers(List.of(), Optional.of(name), port, Optional.empty()).source(7946);
    }
}
