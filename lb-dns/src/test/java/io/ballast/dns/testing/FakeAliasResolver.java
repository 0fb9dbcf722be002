package io.ballast.dns.testing;

import io.ballast.core.pool.Registration;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.follow.AliasAddresses;
import io.ballast.dns.follow.FollowedAddresses;
import io.ballast.dns.follow.FollowedAddresses.State;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Alias targets with addresses set by the test. */
public final class FakeAliasResolver implements AliasAddresses {

    private final Map<String, FollowedAddresses> names = new HashMap<>();
    private final List<Consumer<Set<String>>> listeners = new ArrayList<>();

    /** Sets the addresses of a name. If the name gets no addresses of an address family, it is known to have none. */
    public FakeAliasResolver has(String name, int ttlSeconds, String... addresses) {
        List<InetAddress> all = Arrays.stream(addresses)
                .map(address -> new InetSocketAddress(address, 0).getAddress())
                .toList();
        for (AddressFamily family : AddressFamily.values()) {
            List<InetAddress> ofFamily = all.stream().filter(family::holds).toList();
            State state = ofFamily.isEmpty() ? State.NONE : State.KNOWN;
            names.put(
                    name + family, new FollowedAddresses(ofFamily, ttlSeconds, state, "a test said so", Duration.ZERO));
        }
        return update(name);
    }

    /** Marks the addresses of a name as unknown. */
    public FakeAliasResolver isUnanswered(String name) {
        for (AddressFamily family : AddressFamily.values()) {
            names.put(
                    name + family, new FollowedAddresses(List.of(), 0, State.FAILED, "nobody answers", Duration.ZERO));
        }
        return update(name);
    }

    private FakeAliasResolver update(String name) {
        List.copyOf(listeners).forEach(listener -> listener.accept(Set.of(name)));
        return this;
    }

    /** Number of listeners. */
    public int listeners() {
        return listeners.size();
    }

    @Override
    public FollowedAddresses addressesOf(String name, AddressFamily family) {
        return names.getOrDefault(name + family, AliasAddresses.NONE.addressesOf(name, family));
    }

    @Override
    public Registration onChange(Consumer<Set<String>> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
