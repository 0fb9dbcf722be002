package io.ballast.config.keys.agent;

import io.ballast.agent.config.LoadDrainConfig;
import io.ballast.agent.config.RegisteredBackend;
import io.ballast.config.key.Addresses;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.keys.pool.HealthKeys;
import io.ballast.core.Checks;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.IpAddress;

/** The keys of {@code register[]} of an agent. */
final class RegisterKeys {

    private static final String EXPECTED = "an IP address and a port, such as 10.0.1.5:8080 or [2001:db8::5]:8080";

    private static final ShapeBuilder<RegisteredBackend> KEYS =
            Shape.named("agent_register", "A backend that the agent checks and reports.");
    private static final Key<String> POOL =
            KEYS.required("pool", Scalars.TEXT, "pool of the nodes that gets the backend", RegisteredBackend::pool);
    private static final Key<HostPort> ADDRESS = KEYS.required(
            "address",
            Scalars.TEXT.map(RegisterKeys::address, HostPort::toString),
            "IP address and port to which the nodes forward",
            RegisteredBackend::address);
    private static final Key<Integer> WEIGHT = KEYS.optional(
            "weight",
            Scalars.integer(0, BackendConfig.MAX_WEIGHT),
            BackendConfig.DEFAULT_WEIGHT,
            "share of the traffic relative to the other backends of the pool",
            RegisteredBackend::weight);
    private static final Key<HealthConfig> HEALTH = KEYS.optional(
            "health",
            HealthKeys.HEALTH,
            HealthConfig.DEFAULT,
            "how the agent checks the backend, as for pools",
            RegisteredBackend::health);
    private static final Key<LoadDrainConfig> DRAIN = KEYS.optional(
            "drain",
            LoadDrainKeys.DRAIN,
            "when the weight is reduced because of the load; never by default",
            RegisteredBackend::drain);

    static final Type<RegisteredBackend> REGISTER = KEYS.build(values -> new RegisteredBackend(
            values.get(POOL), values.get(ADDRESS), values.get(WEIGHT), values.get(HEALTH), values.find(DRAIN)));

    private RegisterKeys() {}

    private static HostPort address(String text) {
        HostPort address = Addresses.requireConnectable(Addresses.parse(text, EXPECTED));
        try {
            return new HostPort(IpAddress.parse(address.host()).toString(), address.port());
        } catch (IllegalArgumentException e) {
            Checks.that(/* holds= */ false, "address", text, EXPECTED);
            throw e;
        }
    }
}
