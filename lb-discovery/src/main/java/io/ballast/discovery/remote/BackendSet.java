package io.ballast.discovery.remote;

import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.IpAddress;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.SourceText;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the backends of an answer: each address once, at most {@value #MAX}. Weights are scaled to the
 * range that a pool accepts. Confined to one thread.
 */
public final class BackendSet {

    /** The maximum number of backends of one source. */
    public static final int MAX = 10_000;

    private static final int MAX_OMITTED = 10;
    private static final Comparator<DiscoveredBackend> BY_ADDRESS = Comparator.<DiscoveredBackend, String>comparing(
                    backend -> backend.address().host())
            .thenComparingInt(backend -> backend.address().port());

    private final Map<HostPort, DiscoveredBackend> backends = new LinkedHashMap<>();
    private final List<String> omitted = new ArrayList<>();

    /**
     * Adds a backend. If the address is already present, the first backend is kept, unless it is draining.
     *
     * @throws IOException if there are too many backends
     */
    public void add(DiscoveredBackend backend) throws IOException {
        backends.merge(backend.address(), backend, (first, second) -> first.draining() ? second : first);
        if (backends.size() > MAX) {
            throw new IOException("more than " + MAX + " backends");
        }
    }

    /** Records an omitted entry and its reason, up to a limit. */
    public void omit(String what, @Nullable String why) {
        if (omitted.size() < MAX_OMITTED) {
            omitted.add(SourceText.oneLine(what) + ": " + SourceText.oneLine(String.valueOf(why)));
        }
    }

    /** Returns the omitted entries, with the reasons. */
    public List<String> omitted() {
        return List.copyOf(omitted);
    }

    public boolean isEmpty() {
        return backends.isEmpty();
    }

    /**
     * Returns all backends, sorted by address. If a weight exceeds the limit of pools, all weights are scaled
     * down, and no positive weight becomes 0.
     */
    public List<DiscoveredBackend> sorted() {
        int max = backends.values().stream()
                .mapToInt(DiscoveredBackend::weight)
                .max()
                .orElse(0);
        return backends.values().stream()
                .map(backend -> scaled(backend, max))
                .sorted(BY_ADDRESS)
                .toList();
    }

    private static DiscoveredBackend scaled(DiscoveredBackend backend, int max) {
        if (max <= BackendConfig.MAX_WEIGHT || backend.weight() == 0) {
            return backend;
        }
        int weight = (int) Math.max(1, (long) backend.weight() * BackendConfig.MAX_WEIGHT / max);
        return new DiscoveredBackend(backend.address(), weight, backend.backup(), backend.draining());
    }

    /**
     * Parses an address and returns its canonical form.
     *
     * @throws IllegalArgumentException if the address or the port is invalid
     */
    public static HostPort address(String text, int port) {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1..65535)");
        }
        return new HostPort(IpAddress.parse(text).toString(), port);
    }

    /** Returns the canonical form of a Java address with a port. */
    public static HostPort address(InetAddress address, int port) {
        return new HostPort(IpAddress.of(address.getAddress()).toString(), port);
    }
}
