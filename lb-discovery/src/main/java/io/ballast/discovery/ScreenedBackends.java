package io.ballast.discovery;

import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.IpAddress;
import io.ballast.discovery.source.DiscoveredBackend;
import io.ballast.discovery.source.SourceText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The usable backends of a discovery source's answer.
 *
 * @param backends backends with unique addresses in the format of {@link IpAddress}, in the order of the
 *     answer, with weights of at most {@link BackendConfig#MAX_WEIGHT}
 * @param refusalReasons the reasons why the first few unusable entries were rejected
 */
record ScreenedBackends(List<DiscoveredBackend> backends, List<String> refusalReasons) {

    /** The maximum number of backends of one source. */
    static final int MAX_BACKENDS = 10_000;

    private static final int MAX_REASONS = 3;
    private static final String LOCAL = "local addresses are rejected; set allow_local: true if this is intended";

    ScreenedBackends {
        backends = List.copyOf(backends);
        refusalReasons = List.copyOf(refusalReasons);
    }

    /** @param allowLocal whether addresses of this machine and link-local addresses are accepted */
    static ScreenedBackends of(List<DiscoveredBackend> answer, boolean allowLocal) {
        Map<HostPort, DiscoveredBackend> usable = new LinkedHashMap<>();
        List<String> refused = new ArrayList<>();
        int max = answer.stream().mapToInt(DiscoveredBackend::weight).max().orElse(0);
        for (DiscoveredBackend each : answer) {
            String reason = refusal(each.address(), allowLocal);
            if (reason.isEmpty() && usable.size() == MAX_BACKENDS) {
                reason = "too many backends (expected: at most " + MAX_BACKENDS + ")";
            }
            if (reason.isEmpty()) {
                HostPort address = new HostPort(
                        IpAddress.parse(each.address().host()).toString(),
                        each.address().port());
                usable.putIfAbsent(
                        address,
                        new DiscoveredBackend(address, scaled(each.weight(), max), each.backup(), each.draining()));
            } else if (refused.size() < MAX_REASONS) {
                refused.add(SourceText.oneLine(each.address().toString()) + ": " + reason);
            }
        }
        List<DiscoveredBackend> sorted = new ArrayList<>(usable.values());
        // Sort by address, because sources may shuffle their answers: a different order is not a change.
        sorted.sort(
                Comparator.comparing((DiscoveredBackend each) -> each.address().toString()));
        return new ScreenedBackends(sorted, refused);
    }

    /**
     * Scales a weight down if the largest weight exceeds the maximum. The ratios between the weights stay the
     * same, and no positive weight becomes 0.
     */
    private static int scaled(int weight, int max) {
        if (max <= BackendConfig.MAX_WEIGHT || weight == 0) {
            return weight;
        }
        return (int) Math.max(1, (long) weight * BackendConfig.MAX_WEIGHT / max);
    }

    private static String refusal(HostPort address, boolean allowLocal) {
        if (address.port() == 0) {
            return "port 0 (expected: a port from 1 to 65535)";
        }
        InetAddress inet;
        try {
            inet = InetAddress.getByName(IpAddress.parse(address.host()).toString());
        } catch (IllegalArgumentException | UnknownHostException e) {
            return "not an IP address";
        }
        if (inet.isAnyLocalAddress() || inet.isMulticastAddress()) {
            return "an unspecified or multicast address (expected: a unicast address)";
        }
        boolean local = inet.isLoopbackAddress() || inet.isLinkLocalAddress();
        return local && !allowLocal ? LOCAL : "";
    }
}
