package io.ballast.discovery.dns;

import io.ballast.discovery.names.RecordLookup;
import io.ballast.discovery.names.RecordLookup.Service;
import io.ballast.discovery.names.RecordLookup.Services;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.remote.Pacing;
import io.ballast.discovery.remote.SourceThread;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The backends of a name's SRV records: one for each address of each target. Records with the lowest priority value are
 * in use, all other records are backups. Each address of a target gets the weight of its record. Weight 0 counts as 1,
 * because RFC 2782 requires that such a target gets some traffic. The records are queried again after the lowest TTL:
 * at least 1 s, at most 5 min.
 *
 * <p>The source fails if there are no SRV records. The target {@code .} means that there is no backend. A
 * target that cannot be resolved keeps its previous addresses.
 */
public final class SrvSource implements Source {

    private final String name;
    private final RecordLookup lookup;
    private final Pacing pacing;
    private final SourceThread thread;
    private Map<String, List<InetAddress>> knownAddresses = Map.of(); // confined to the source's thread

    /** @param name the name of the SRV records, such as {@code _http._tcp.app.internal} */
    public SrvSource(String name, RecordLookup lookup, Pacing pacing) {
        this.name = name;
        this.lookup = lookup;
        this.pacing = pacing;
        this.thread = new SourceThread("discover-srv-" + name, pacing, this::runRound);
    }

    @Override
    public void start(Listener listener) {
        thread.start(listener);
    }

    private Duration runRound(Listener listener) throws IOException {
        Services found = lookup.findServices(name);
        List<Service> services = found.services().stream()
                .sorted(Comparator.comparingInt(Service::priority))
                .toList();
        TargetAddresses targets = new TargetAddresses(lookup, knownAddresses);
        BackendSet backends = new BackendSet();
        for (Service service : services) {
            boolean backup = service.priority() > services.get(0).priority();
            int weight = Math.max(1, service.weight());
            for (InetAddress address : targets.of(service)) {
                if (service.port() > 0) {
                    backends.add(new DiscoveredBackend(
                            BackendSet.address(address, service.port()), weight, backup, /* draining= */ false));
                }
            }
        }
        knownAddresses = targets.knownAddresses();
        if (backends.isEmpty() && !services.isEmpty()) {
            throw new IOException(name + ": no SRV target has an address and a port" + targets.reason());
        }
        pacing.resetBackoff();
        listener.onBackends(backends.sorted());
        return RequeryDelay.after(targets.ttl(found.ttl()));
    }

    @Override
    public void close() {
        thread.close();
    }
}
