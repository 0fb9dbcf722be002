package io.ballast.config.keys.pool;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.NameReference;
import io.ballast.core.Checks;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The keys of {@code pools.NAME.backends[]}. */
public final class BackendKeys {

    /** The requirement for the weights of a pool, for error messages. */
    public static final String EXPECTED_WEIGHT =
            "at least one backend with a weight above 0; otherwise no backend gets traffic";

    private static final ShapeBuilder<BackendConfig> KEYS =
            Shape.named("backend", "A backend: one address that serves requests. The address can be given alone.");

    private static final Key<Address> ADDRESS = KEYS.optional(
            "address", Addresses.BACKEND, "address of the backend", backend -> Optional.of(backend.address()));
    private static final Key<HostPort> URL =
            KEYS.shorthand("url", BackendUrl.URL, "address of the backend as http://host:port; instead of address");
    private static final Key<Integer> WEIGHT = KEYS.optional(
            "weight",
            Scalars.integer(0, BackendConfig.MAX_WEIGHT),
            BackendConfig.DEFAULT_WEIGHT,
            "share of traffic relative to the other backends; 0: health checks but no traffic",
            BackendConfig::weight);
    private static final Key<Integer> PRIORITY = KEYS.optional(
            "priority",
            Scalars.integer(0, BackendConfig.MAX_PRIORITY),
            BackendConfig.DEFAULT_PRIORITY,
            "priority tier for the failover strategy; lower is preferred",
            BackendConfig::priority);
    private static final Key<Boolean> BACKUP = KEYS.optional(
            "backup",
            Scalars.BOOLEAN,
            BackendConfig.DEFAULT_BACKUP,
            "whether it is used only when no other backend of the pool is usable, with any strategy",
            BackendConfig::backup);
    private static final Key<String> REGION = KEYS.optional(
            "region", NameReference.REGION, "region of the backend, for the geo strategy", BackendConfig::region);

    private static final Key<Integer> HEALTH_PORT = KEYS.optional(
            "health_port",
            Scalars.integer(1, 65535),
            "port for its health checks; by default health.port of the pool, else the backend's own port",
            backend -> backend.healthPort().stream().boxed().findFirst());

    static {
        KEYS.exactlyOne(ADDRESS, URL);
    }

    static {
        KEYS.onReload(ReloadEffect.REPLACES_OBJECT, ADDRESS, URL);
    }

    /** A backend, written as a mapping or as the address alone. */
    public static final Type<BackendConfig> BACKEND = new BriefType<>(
            Addresses.BACKEND.map(BackendKeys::at, BackendConfig::address),
            KEYS.build(BackendKeys::build),
            /* printsBrief= */ backend -> false);

    private BackendKeys() {}

    /** Returns the backends; rejects them if all have weight 0, because every request would get a 503. */
    static List<BackendConfig> requireUsableMember(List<BackendConfig> backends) {
        Checks.that(
                backends.stream().anyMatch(backend -> backend.weight() > 0),
                "backends",
                "weight 0 for all backends",
                EXPECTED_WEIGHT);
        return backends;
    }

    private static BackendConfig at(Address address) {
        return new BackendConfig(address, BackendConfig.DEFAULT_WEIGHT, BackendConfig.DEFAULT_PRIORITY);
    }

    private static BackendConfig build(Values values) {
        Address address = values.find(ADDRESS).orElseGet(() -> values.get(URL));
        return new BackendConfig(
                address,
                values.get(WEIGHT),
                values.get(PRIORITY),
                values.get(BACKUP),
                values.find(REGION),
                values.find(HEALTH_PORT).map(OptionalInt::of).orElse(OptionalInt.empty()));
    }
}
