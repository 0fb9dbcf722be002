package io.ballast.replication.peer;

import io.ballast.core.config.HostPort;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up the names of listed peers periodically. A name may have several addresses; all of them are used. Starts one
 * thread, because a look-up may block.
 */
final class PeerAddresses implements PeerFinder {

    private static final Logger LOG = LoggerFactory.getLogger(PeerAddresses.class);
    private static final int LOOKUP_SECONDS = 10;

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "cluster-peers");
        created.setDaemon(true);
        return created;
    });
    private final List<HostPort> peers;
    private final Consumer<List<InetSocketAddress>> target;
    private List<InetSocketAddress> last = List.of();

    /** @param target receives all addresses, first immediately and then after each change */
    PeerAddresses(List<HostPort> peers, Consumer<List<InetSocketAddress>> target) {
        this.peers = List.copyOf(peers);
        this.target = target;
    }

    @Override
    public void start() {
        thread.scheduleWithFixedDelay(this::lookUp, 0, LOOKUP_SECONDS, TimeUnit.SECONDS);
    }

    private void lookUp() {
        List<InetSocketAddress> found = new ArrayList<>();
        for (HostPort peer : peers) {
            try {
                for (InetAddress address : InetAddress.getAllByName(peer.host())) {
                    found.add(new InetSocketAddress(address, peer.port()));
                }
            } catch (UnknownHostException e) {
                LOG.debug("there is no address of {}", peer.host());
                last.stream()
                        .filter(known -> known.getHostString().equals(peer.host()))
                        .forEach(found::add);
            }
        }
        if (!found.equals(last)) {
            last = found;
            target.accept(found);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
