package io.ballast.policy.config;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import io.ballast.policy.config.address.AddressEntry;
import io.ballast.policy.config.address.LocationSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lists of client addresses. A client in {@code allow} passes; another client is refused with 403 if it is in
 * {@code deny}, or if {@code denyAll} is set.
 *
 * @param closes whether the connection closes after the refusal (HTTP/1.1 only)
 */
public record AddressListConfig(List<AddressEntry> allow, List<AddressEntry> deny, boolean denyAll, boolean closes)
        implements PolicyRule {

    /** The maximum number of files in both lists. */
    public static final int MAX_FILES = 16;

    /** The maximum number of networks in both lists when the configuration is read. */
    public static final int MAX_NETWORKS = 1_000_000;

    public AddressListConfig {
        allow = List.copyOf(allow);
        deny = List.copyOf(deny);
        Checks.that(denyAll || !deny.isEmpty(), "deny", deny, "at least one network, or all");
        Checks.that(!denyAll || deny.isEmpty(), "deny", deny, "either networks or all");
        long files = Stream.concat(allow.stream(), deny.stream())
                .filter(AddressEntry.NetworkFile.class::isInstance)
                .count();
        Checks.that(files <= MAX_FILES, "files", files, "at most " + MAX_FILES + " files");
        long networks = Stream.concat(allow.stream(), deny.stream())
                .mapToLong(AddressListConfig::networks)
                .sum();
        Checks.that(networks <= MAX_NETWORKS, "networks", networks, "at most " + MAX_NETWORKS);
    }

    /** Creates lists of networks. */
    public static AddressListConfig ofNetworks(List<Cidr> allow, List<Cidr> deny, boolean denyAll, boolean closes) {
        return new AddressListConfig(entries(allow), entries(deny), denyAll, closes);
    }

    private static List<AddressEntry> entries(List<Cidr> networks) {
        return networks.stream().<AddressEntry>map(AddressEntry.Network::new).toList();
    }

    private static long networks(AddressEntry entry) {
        if (entry instanceof AddressEntry.NetworkFile file) {
            return file.networks().size();
        }
        return entry instanceof AddressEntry.Network ? 1 : 0;
    }

    /** The locations of both lists that require a geolocation database. */
    public Set<LocationSet> locations() {
        return Stream.of(LocationSet.of(allow), LocationSet.of(deny))
                .filter(set -> !set.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String kind() {
        return "ip";
    }
}
