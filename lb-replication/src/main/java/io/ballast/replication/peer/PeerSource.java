package io.ballast.replication.peer;

import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the other nodes with a source of addresses, such as a name in DNS. The source has threads of its own, and looks
 * up the addresses periodically; a failure changes nothing. Thread-safe.
 */
final class PeerSource implements PeerFinder {

    /** The maximum number of addresses; further addresses are ignored. A node connects to at most 256 addresses. */
    private static final int MAX_ADDRESSES = 256;

    private static final Logger LOG = LoggerFactory.getLogger(PeerSource.class);

    private final Source source;
    private final String subject;
    private final Consumer<List<InetSocketAddress>> target;

    /**
     * @param subject what the source looks up
     * @param target receives all addresses after each change
     */
    PeerSource(Source source, String subject, Consumer<List<InetSocketAddress>> target) {
        this.source = source;
        this.subject = subject;
        this.target = target;
    }

    @Override
    public void start() {
        source.start(new Source.Listener() {
            private List<InetSocketAddress> last = List.of();
            private String lastFailure = "";

            @Override
            public void onBackends(List<DiscoveredBackend> backends) {
                lastFailure = "";
                List<InetSocketAddress> found = backends.stream()
                        .map(DiscoveredBackend::address)
                        .limit(MAX_ADDRESSES)
                        .map(address -> new InetSocketAddress(address.host(), address.port()))
                        .filter(address -> !address.isUnresolved())
                        .distinct()
                        .toList();
                if (!found.equals(last)) {
                    last = found;
                    target.accept(found);
                }
            }

            @Override
            public void onFailure(String reason) {
                if (!reason.equals(lastFailure)) {
                    lastFailure = reason;
                    LOG.warn(
                            "cluster=peers_not_found name={} reason=\"{}\" effect=\"the known addresses stay in use\"",
                            subject,
                            reason);
                }
            }
        });
    }

    @Override
    public void close() {
        source.close();
    }
}
