package io.ballast.discovery.dns;

import io.ballast.discovery.names.NameLookup;
import io.ballast.discovery.names.RecordLookup;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.remote.Pacing;
import io.ballast.discovery.remote.SourceThread;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.Source;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;

/**
 * A source with one backend for each IPv4 and IPv6 address of a name. The name is queried again when the TTL
 * expires, after at least 1 s and at most 5 min. A name that does not exist, or has no address, counts as a
 * failure, so that name servers with problems do not remove backends.
 */
public final class NamesSource implements Source {

    private final String name;
    private final int port;
    private final RecordLookup lookup;
    private final Pacing pacing;
    private final SourceThread thread;

    /** @param port the port of each backend */
    public NamesSource(String name, int port, RecordLookup lookup, Pacing pacing) {
        this.name = name;
        this.port = port;
        this.lookup = lookup;
        this.pacing = pacing;
        this.thread = new SourceThread("discover-dns-" + name, pacing, this::runRound);
    }

    @Override
    public void start(Listener listener) {
        thread.start(listener);
    }

    private Duration runRound(Listener listener) throws IOException {
        NameLookup.Answer answer = lookup.findAll(name);
        BackendSet backends = new BackendSet();
        for (InetAddress address : answer.addresses()) {
            backends.add(DiscoveredBackend.at(BackendSet.address(address, port)));
        }
        pacing.resetBackoff();
        listener.onBackends(backends.sorted());
        return RequeryDelay.after(answer.ttl());
    }

    @Override
    public void close() {
        thread.close();
    }
}
