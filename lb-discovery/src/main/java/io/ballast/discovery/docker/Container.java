package io.ballast.discovery.docker;

import io.ballast.core.Checks;
import io.ballast.core.config.BackendConfig;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.source.DiscoveredBackend;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A container from the daemon's list, and the backend that its labels define. Confined to one thread. */
final class Container {

    /** The label with the name of the service to which the container belongs. */
    static final String POOL = "ballast.pool";

    private static final String PORT = "ballast.port";
    private static final String WEIGHT = "ballast.weight";
    private static final String NETWORK = "ballast.network";

    /** The labels that define the backend. */
    static final Set<String> LABELS = Set.of(PORT, WEIGHT, NETWORK);

    final Map<String, String> labels = new LinkedHashMap<>();
    final Map<String, String> addressByNetwork = new LinkedHashMap<>();
    final Set<Integer> exposedPorts = new TreeSet<>();
    String name = "";
    String state = "";
    String status = "";

    /** Returns whether the container is running and, if its image defines a health check, is healthy. */
    boolean serves() {
        boolean unhealthy = status.contains("(unhealthy)") || status.contains("(health: starting)");
        return state.toLowerCase(Locale.ROOT).equals("running") && !unhealthy;
    }

    /**
     * Returns the backend of the container.
     *
     * @param usual the port if no label defines one
     * @throws IllegalArgumentException if the container has no address or no port, or a label is invalid
     */
    DiscoveredBackend backend(Optional<Integer> usual) {
        String weight = labels.getOrDefault(WEIGHT, "1");
        Checks.that(
                weight.matches("[0-9]{1,4}") && Integer.parseInt(weight) <= BackendConfig.MAX_WEIGHT,
                WEIGHT,
                weight,
                "0.." + BackendConfig.MAX_WEIGHT);
        return new DiscoveredBackend(
                BackendSet.address(address(), port(usual)),
                Integer.parseInt(weight),
                /* backup= */ false,
                /* draining= */ false);
    }

    private int port(Optional<Integer> usual) {
        String label = labels.get(PORT);
        if (label != null) {
            Checks.that(label.matches("[0-9]{1,5}"), PORT, label, "1..65535");
            return Integer.parseInt(label);
        }
        if (usual.isPresent()) {
            return usual.get();
        }
        Checks.that(exposedPorts.size() == 1, "exposed ports", exposedPorts, "exactly one, or the label " + PORT);
        return exposedPorts.iterator().next();
    }

    private String address() {
        String network = labels.get(NETWORK);
        Set<String> possible = addressByNetwork.entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        if (network != null) {
            Checks.that(possible.contains(network), NETWORK, network, "one of " + possible);
            return addressByNetwork.getOrDefault(network, "");
        }
        Checks.that(!possible.isEmpty(), "networks", addressByNetwork.keySet(), "a network with an address");
        return addressByNetwork.getOrDefault(possible.iterator().next(), "");
    }
}
