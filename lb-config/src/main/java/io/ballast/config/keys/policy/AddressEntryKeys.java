package io.ballast.config.keys.policy;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.FileType;
import io.ballast.config.key.GeoCodes;
import io.ballast.config.key.Key;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.FileState;
import io.ballast.core.net.CidrSet;
import io.ballast.policy.address.NetworkListException;
import io.ballast.policy.address.NetworkListFile;
import io.ballast.policy.config.address.AddressEntry;
import io.ballast.policy.config.address.AddressEntry.Location;
import io.ballast.policy.config.address.AddressEntry.Network;
import io.ballast.policy.config.address.AddressEntry.NetworkFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The keys of the items of {@code policies.NAME.ip.allow} and {@code deny} that are not networks. */
final class AddressEntryKeys {

    private static final long MAX_ASN = 0xFFFF_FFFFL;

    private static final ShapeBuilder<AddressEntry> KEYS = Shape.named(
            "ip_entry",
            "Addresses of clients: a file with networks, or the addresses of countries or autonomous systems in the"
                    + " database of `geo`.");

    private static final Key<Path> FILE = KEYS.optional(
            "file",
            FileType.ofContent(),
            "file with one network or address per line, IPv4 and IPv6; text after # or ; is skipped; read again when it"
                    + " changes",
            entry -> entry instanceof NetworkFile file ? Optional.of(file.path()) : Optional.empty());
    private static final Key<List<String>> COUNTRY = KEYS.optional(
            "country",
            OneOrMore.of(GeoCodes.COUNTRY, "country"),
            "ISO 3166-1 code of a country, such as DE, or a list of codes; requires geo.database",
            location(Location::countries));
    private static final Key<List<Long>> ASN = KEYS.optional(
            "asn",
            OneOrMore.of(Scalars.whole(1, MAX_ASN), "ASN"),
            "number of an autonomous system, or a list of numbers; requires geo.database with such numbers",
            location(Location::asns));

    static {
        KEYS.exactlyOne(FILE, COUNTRY, ASN);
    }

    /** An entry: a network, or a mapping. */
    static final Type<AddressEntry> ENTRY = new BriefType<>(
            Networks.NETWORK.map(Network::new, entry -> ((Network) entry).cidr()),
            KEYS.build(AddressEntryKeys::build),
            Network.class::isInstance);

    private AddressEntryKeys() {}

    private static <T> Function<AddressEntry, Optional<List<T>>> location(Function<Location, List<T>> getter) {
        return entry -> entry instanceof Location location
                ? Optional.of(getter.apply(location)).filter(values -> !values.isEmpty())
                : Optional.empty();
    }

    private static AddressEntry build(Values values) {
        Optional<Path> file = values.find(FILE);
        return file.isPresent()
                ? read(file.get(), values)
                : new Location(
                        values.find(COUNTRY).orElse(List.of()), values.find(ASN).orElse(List.of()));
    }

    private static NetworkFile read(Path file, Values values) {
        values.reading().registerFile(file);
        FileState state = FileState.of(file);
        try {
            return new NetworkFile(file, state, NetworkListFile.read(file));
        } catch (NetworkListException e) {
            e.problems().forEach(problem -> values.reading().error(values.node(FILE), problem));
            return new NetworkFile(file, state, CidrSet.EMPTY);
        }
    }
}
