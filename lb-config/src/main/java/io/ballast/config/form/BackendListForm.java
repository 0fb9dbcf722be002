package io.ballast.config.form;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import io.ballast.core.Checks;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.IpAddress;
import java.util.List;
import java.util.Optional;

/** The format of a file with a list of backends: the list alone, or a mapping with the key {@code backends}. */
public final class BackendListForm {

    private static final String EXPECTED = "an IP address and a port such as 10.0.0.1:8080 or [2001:db8::1]:8080";

    private static final Type<Address> ADDRESS = Addresses.BACKEND.map(BackendListForm::literal, address -> address);

    private static final ShapeBuilder<BackendConfig> KEYS =
            Shape.named("listed_backend", "A backend listed in a file. The address alone can be given instead.");
    private static final Key<Address> ADDRESS_KEY =
            KEYS.required("address", ADDRESS, "address of the backend: " + EXPECTED, BackendConfig::address);
    private static final Key<Integer> WEIGHT = KEYS.optional(
            "weight",
            Scalars.integer(0, BackendConfig.MAX_WEIGHT),
            BackendConfig.DEFAULT_WEIGHT,
            "share of the traffic, relative to the other backends of the pool",
            BackendConfig::weight);
    private static final Key<Boolean> BACKUP = KEYS.optional(
            "backup",
            Scalars.BOOLEAN,
            BackendConfig.DEFAULT_BACKUP,
            "whether the backend is used only when no other backend of the pool is usable",
            BackendConfig::backup);

    private static final Type<BackendConfig> BACKEND = new BriefType<>(
            ADDRESS.map(
                    address -> backend(address, BackendConfig.DEFAULT_WEIGHT, BackendConfig.DEFAULT_BACKUP),
                    BackendConfig::address),
            KEYS.build(values -> backend(values.get(ADDRESS_KEY), values.get(WEIGHT), values.get(BACKUP))),
            /* printsBrief= */ backend -> false);

    private static final Type<List<BackendConfig>> LIST =
            ListType.of(BACKEND).unique("address", BackendConfig::address);

    private static final ShapeBuilder<List<BackendConfig>> FILE_KEYS =
            Shape.named("backend_list", "A file with a list of backends.");
    private static final Key<List<BackendConfig>> BACKENDS =
            FILE_KEYS.required("backends", LIST, "list of backends", backends -> backends);
    private static final Type<List<BackendConfig>> FILE = FILE_KEYS.build(values -> values.get(BACKENDS));

    private BackendListForm() {}

    /** Returns the backends; their addresses must be IP literals. Returns empty after reporting an error. */
    public static Optional<List<BackendConfig>> read(Node root, ReadContext reading) {
        if (root instanceof Node.Scalar) {
            reading.mismatch(root, "a list of backends, or a mapping with the key 'backends'");
            return Optional.empty();
        }
        return root instanceof Node.Mapping ? FILE.read(root, reading) : LIST.read(root, reading);
    }

    private static BackendConfig backend(Address address, int weight, boolean backup) {
        return new BackendConfig(
                address, weight, BackendConfig.DEFAULT_PRIORITY, backup, /* region= */ Optional.empty());
    }

    private static Address literal(Address address) {
        Checks.that(address instanceof HostPort, "address", address, EXPECTED);
        try {
            IpAddress unused = IpAddress.parse(address.host());
            return address;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("address: " + address + " (expected: " + EXPECTED + ")", e);
        }
    }
}
