package io.ballast.core.pool;

import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.UnixSocket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The resolved addresses of a configuration's backends; each name is resolved once. Immutable. */
final class ResolvedAddresses {

    private final Map<Address, SocketAddress> addresses;

    private ResolvedAddresses(Map<Address, SocketAddress> addresses) {
        this.addresses = addresses;
    }

    /**
     * Resolves all addresses. A name that cannot be resolved stays unresolved.
     *
     * @param running pools whose backends keep their current address if their name cannot be resolved now
     */
    static ResolvedAddresses resolveAll(
            Map<String, PoolConfig> configs,
            Map<String, Pool> running,
            Function<HostPort, InetSocketAddress> resolver) {
        Map<Address, SocketAddress> known = new HashMap<>();
        running.values().stream()
                .flatMap(pool -> pool.members().stream())
                .forEach(member ->
                        known.put(member.backend().address(), member.backend().socketAddress()));
        Map<Address, SocketAddress> addresses = new HashMap<>();
        for (PoolConfig pool : configs.values()) {
            for (BackendConfig backend : pool.backends()) {
                Address address = backend.address();
                if (!addresses.containsKey(address)) {
                    addresses.put(address, resolve(address, known.get(address), resolver));
                }
            }
        }
        return new ResolvedAddresses(addresses);
    }

    private static SocketAddress resolve(
            Address address, @Nullable SocketAddress known, Function<HostPort, InetSocketAddress> resolver) {
        if (address instanceof UnixSocket socket) {
            return UnixDomainSocketAddress.of(socket.path());
        }
        try {
            return resolver.apply((HostPort) address);
        } catch (IllegalStateException e) {
            return known != null ? known : unresolved((HostPort) address);
        }
    }

    private static SocketAddress unresolved(HostPort address) {
        return InetSocketAddress.createUnresolved(address.host(), address.port());
    }

    SocketAddress of(Address address) {
        return Objects.requireNonNull(addresses.get(address), "an address that is not in the configuration");
    }
}
