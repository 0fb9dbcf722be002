package io.ballast.discovery.kubernetes;

import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.discovery.kubernetes.Slice.Endpoint;
import io.ballast.discovery.kubernetes.Slice.Port;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.source.DiscoveredBackend;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Stores all endpoint slices of a service and computes its backends. If the service has IPv4 and IPv6 slices, only the IPv4
 * addresses are used, because both kinds describe the same pods. Bounded; confined to one thread.
 */
final class SliceTable {

    /** The maximum number of endpoints, ready or not. */
    static final int MAX_ENDPOINTS = 4 * BackendSet.MAX;

    /** The maximum number of slices; a slice may have no endpoints. */
    static final int MAX_SLICES = 2 * BackendSet.MAX;

    /** The maximum number of ports of one slice that the API permits. */
    static final int MAX_PORTS_PER_SLICE = 20_000;

    /** The maximum number of ports of all slices. */
    static final int MAX_PORTS = 20 * MAX_PORTS_PER_SLICE;

    /** The maximum length of a name or an address; no DNS name is longer. */
    static final int MAX_CHARACTERS = 253;

    /** The maximum size of a list with all its pages, in bytes. */
    static final int MAX_BYTES = 64 << 20;

    private final Optional<String> port;
    private final Map<String, Slice> slices = new HashMap<>();
    private int endpoints;
    private int ports;
    private long bytes;

    /** @param port the name or number of a port; absent if each slice has only one port */
    SliceTable(Optional<String> port) {
        this.port = port;
    }

    /** Adds the slices of one page of the API server's list. */
    void add(SlicePage page) throws IOException {
        bytes += page.bytes();
        if (bytes > MAX_BYTES) {
            throw new IOException("the list of EndpointSlices is larger than " + MAX_BYTES + " bytes");
        }
        for (Slice slice : page.slices()) {
            put(slice);
        }
    }

    /** Adds a slice, or replaces the slice with the same name. */
    void put(Slice slice) throws IOException {
        if (hasLongText(slice)) {
            throw new IOException(
                    "an EndpointSlice has a name or an address of more than " + MAX_CHARACTERS + " characters");
        }
        remove(slice.name());
        slices.put(slice.name(), slice);
        endpoints += slice.endpoints().size();
        ports += slice.ports().size();
        if (endpoints > MAX_ENDPOINTS || slices.size() > MAX_SLICES) {
            throw new IOException(
                    "more than " + MAX_ENDPOINTS + " endpoints, or more than " + MAX_SLICES + " EndpointSlices");
        }
        if (ports > MAX_PORTS || slice.ports().size() > MAX_PORTS_PER_SLICE) {
            throw new IOException("more than " + MAX_PORTS + " ports in all EndpointSlices, or more than "
                    + MAX_PORTS_PER_SLICE + " in one EndpointSlice");
        }
    }

    private static boolean hasLongText(Slice slice) {
        return slice.name().length() > MAX_CHARACTERS
                || slice.addressType().length() > MAX_CHARACTERS
                || slice.ports().stream().anyMatch(each -> each.name().length() > MAX_CHARACTERS)
                || slice.endpoints().stream().anyMatch(each -> each.address().length() > MAX_CHARACTERS);
    }

    void remove(String name) {
        Slice before = slices.remove(name);
        if (before != null) {
            endpoints -= before.endpoints().size();
            ports -= before.ports().size();
        }
    }

    /**
     * Returns the backends, both serving and draining.
     *
     * @throws IOException if there are too many backends, or if no endpoint has the port
     */
    BackendSet backends() throws IOException {
        BackendSet backends = new BackendSet();
        TreeSet<String> otherPorts = new TreeSet<>();
        boolean hasPort = false;
        for (Slice slice : slicesOfOneFamily()) {
            Optional<Port> chosen = choosePort(slice.ports());
            if (chosen.isPresent()) {
                hasPort = true;
                addAll(slice, chosen.get().number(), backends);
            } else if (!slice.endpoints().isEmpty()) {
                slice.ports().forEach(each -> otherPorts.add(each.toString()));
                backends.omit(slice.name(), "port not found");
            }
        }
        if (!hasPort && !backends.omitted().isEmpty()) {
            throw new IOException(
                    "port: " + port.orElse("not given") + " (expected: one of " + String.join(", ", otherPorts) + ")");
        }
        return backends;
    }

    private List<Slice> slicesOfOneFamily() {
        Map<String, List<Slice>> byKind = slices.values().stream().collect(Collectors.groupingBy(Slice::addressType));
        return byKind.getOrDefault("IPv4", byKind.getOrDefault("IPv6", List.of()));
    }

    private Optional<Port> choosePort(List<Port> ports) {
        if (port.isEmpty()) {
            return ports.stream().mapToInt(Port::number).distinct().count() == 1
                    ? Optional.of(ports.get(0))
                    : Optional.empty();
        }
        String wanted = port.get();
        for (Port each : ports) {
            if (each.name().equals(wanted) || Integer.toString(each.number()).equals(wanted)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    private static void addAll(Slice slice, int number, BackendSet backends) throws IOException {
        for (Endpoint each : slice.endpoints()) {
            if (each.serving()) {
                try {
                    HostPort address = BackendSet.address(each.address(), number);
                    backends.add(
                            new DiscoveredBackend(address, /* weight= */ 1, /* backup= */ false, each.terminating()));
                } catch (IllegalArgumentException e) {
                    backends.omit(slice.name(), ErrorText.of(e));
                }
            }
        }
    }
}
