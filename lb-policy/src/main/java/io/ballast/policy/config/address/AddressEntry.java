package io.ballast.policy.config.address;

import io.ballast.core.Checks;
import io.ballast.core.FileState;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import java.nio.file.Path;
import java.util.List;

/** An entry of a list of client addresses. Immutable. */
public sealed interface AddressEntry {

    /** A network in the configuration. */
    record Network(Cidr cidr) implements AddressEntry {}

    /**
     * A file with networks.
     *
     * @param path the absolute path
     * @param state the state of the file before it was read
     * @param networks the networks in the file
     */
    record NetworkFile(Path path, FileState state, CidrSet networks) implements AddressEntry {}

    /**
     * The countries and network operators of clients, according to a geolocation database.
     *
     * @param countries ISO 3166-1 codes in capitals
     * @param asns numbers of autonomous systems
     */
    record Location(List<String> countries, List<Long> asns) implements AddressEntry {

        public Location {
            countries = List.copyOf(countries);
            asns = List.copyOf(asns);
            Checks.that(!countries.isEmpty() || !asns.isEmpty(), "location", "none", "a country or an ASN");
        }
    }
}
