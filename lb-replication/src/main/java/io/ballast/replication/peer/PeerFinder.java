package io.ballast.replication.peer;

import io.ballast.cluster.config.ClusterConfig;
import io.ballast.core.config.DiscoveryConfig;
import io.ballast.discovery.ConfiguredSources;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/** Finds the addresses of other nodes until it is closed. Its look-ups block only its own threads. */
public interface PeerFinder extends AutoCloseable {

    /** Starts the look-ups; called once. */
    void start();

    @Override
    void close();

    /** @param target receives all addresses after each change */
    static PeerFinder of(ClusterConfig config, Consumer<List<InetSocketAddress>> target) {
        DiscoveryConfig source = config.peers().source(config.bind().port()).orElse(null);
        return source == null
                ? new PeerAddresses(config.peers().addresses(), target)
                : new PeerSource(new ConfiguredSources().create(source), source.subject(), target);
    }
}
