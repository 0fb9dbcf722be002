package io.ballast.discovery.names;

import io.ballast.core.DurationText;
import io.ballast.core.ErrorText;
import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.IpAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the current address of each name: its first IPv4 address, or its first IPv6 address if it has no IPv4
 * address. A name keeps its address as long as the answers contain it, in any order, and while lookups fail.
 * {@link #switchFamily} changes to an address of the other family.
 *
 * <p>Thread safety: may be called from any thread; a lookup blocks the calling thread.
 */
public final class NameResolver implements Function<HostPort, InetSocketAddress> {

    /** Minimum time between lookups of a name, even if the TTL is shorter. */
    static final Duration MIN = Duration.ofSeconds(1);

    /** Maximum time between lookups of a name, even if the TTL is longer. */
    static final Duration MAX = Duration.ofMinutes(5);

    /**
     * Maximum delay between failed lookups. The first retry follows after {@link #MIN}, and the delay doubles
     * after each failure.
     */
    static final Duration MAX_AFTER_FAILURE = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(NameResolver.class);

    private final NameLookup lookup;
    private final Executor threads;
    private final ConcurrentMap<String, Known> knownNames = new ConcurrentHashMap<>();

    /**
     * The state of a name.
     *
     * @param address its address; null before the first successful lookup
     * @param lookupInterval the time from one lookup to the next
     * @param failures the number of consecutive failed lookups
     * @param hasSwitched whether the name was switched to the other family, so that its address may be of either
     *     family
     */
    record Known(@Nullable InetAddress address, Duration lookupInterval, int failures, boolean hasSwitched) {}

    /**
     * @param threads executes the lookups of {@link #lookUpAll}; its number of threads limits the parallel
     *     lookups
     */
    public NameResolver(NameLookup lookup, Executor threads) {
        this.lookup = lookup;
        this.threads = threads;
    }

    /** Returns whether an address is a name, which needs a lookup. */
    public static boolean isName(Address address) {
        return address instanceof HostPort at && literal(at.host()).isEmpty();
    }

    /**
     * Looks up all names, several at a time, and waits until the lookups end or {@code timeout} has elapsed. If the
     * lookup of a name has not ended by then, the name keeps its previous address, if any. The name is then due for
     * another lookup immediately.
     */
    public void lookUpAll(Collection<String> names, Duration timeout) {
        CompletableFuture<?>[] all = names.stream()
                .map(name -> CompletableFuture.runAsync(() -> lookUp(name), threads))
                .toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(all).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot look up names", e);
        } catch (TimeoutException e) {
            LOG.warn("msg=\"name lookups did not finish within {}; they are retried later\"", DurationText.of(timeout));
            for (CompletableFuture<?> each : all) {
                each.cancel(/* mayInterruptIfRunning= */ false); // cancels only lookups that still wait for a thread
            }
            names.forEach(name -> knownNames.putIfAbsent(
                    name, new Known(/* address= */ null, MIN, /* failures= */ 1, /* hasSwitched= */ false)));
        }
    }

    /**
     * Returns the address that the last lookup of the name found. If the name was not looked up yet, this method
     * looks it up.
     *
     * @throws IllegalStateException if no lookup has found an address
     */
    @Override
    public InetSocketAddress apply(HostPort target) {
        Optional<InetAddress> literal = literal(target.host());
        InetAddress address = literal.isPresent()
                ? literal.get()
                : knownNames.computeIfAbsent(target.host(), this::firstLookup).address();
        if (address == null) {
            throw new IllegalStateException("no address found for " + target.host());
        }
        return new InetSocketAddress(address, target.port());
    }

    /** Looks up a name and returns its new state. */
    Known lookUp(String name) {
        Known after = nextState(knownNames.get(name), name);
        knownNames.put(name, after);
        return after;
    }

    /**
     * Switches a name to an address of the other family. Later calls of {@link #lookUp} keep that address. If the
     * name has no address of the other family, or the lookup fails, it keeps its current address. A name without
     * a known address is only looked up.
     */
    Known switchFamily(String name) {
        Known before = knownNames.get(name);
        InetAddress last = before == null ? null : before.address();
        if (before == null || last == null) {
            return lookUp(name);
        }
        try {
            NameLookup.Answer answer = lookup.findAll(name);
            for (InetAddress each : answer.addresses()) {
                if (isIpv4(each) != isIpv4(last)) {
                    Known after =
                            new Known(each, bounded(answer.ttl(), MAX), /* failures= */ 0, /* hasSwitched= */ true);
                    knownNames.put(name, after);
                    return after;
                }
            }
        } catch (UnknownHostException | RuntimeException e) {
            LOG.debug("name={} msg=\"no address of the other family found\" reason=\"{}\"", name, ErrorText.of(e));
        }
        return before;
    }

    private static boolean isIpv4(InetAddress address) {
        return address instanceof Inet4Address;
    }

    /** Returns whether a name was looked up, successfully or not. */
    public boolean wasLookedUp(String name) {
        return knownNames.containsKey(name);
    }

    /** Returns the time from the last lookup of a name to its next one. */
    Duration nextLookupDelay(String name) {
        Known last = knownNames.get(name);
        return last == null ? Duration.ZERO : last.lookupInterval();
    }

    /** Removes all names that are not in {@code names}. */
    void retainNames(Set<String> names) {
        knownNames.keySet().retainAll(names);
    }

    private Known firstLookup(String name) {
        return nextState(null, name);
    }

    private Known nextState(@Nullable Known before, String name) {
        InetAddress last = before == null ? null : before.address();
        int failures = before == null ? 0 : before.failures();
        boolean hasSwitched = before != null && before.hasSwitched();
        try {
            NameLookup.Answer answer = hasSwitched ? lookup.findAll(name) : lookup.find(name);
            if (failures > 0) {
                LOG.info("name={} msg=\"an address was found again\"", name);
            }
            InetAddress address =
                    hasSwitched && last != null && answer.addresses().contains(last)
                            ? last
                            : choose(answer.addresses(), last);
            boolean keepsSwitch = hasSwitched && address.equals(last);
            return new Known(address, bounded(answer.ttl(), MAX), /* failures= */ 0, keepsSwitch);
        } catch (UnknownHostException | RuntimeException e) {
            if (failures == 0) {
                LOG.warn(
                        "name={} msg=\"no address found{}\" reason=\"{}\"",
                        name,
                        keptAddressNote(last),
                        ErrorText.of(e));
            }
            Duration wait = MIN.multipliedBy(1L << Math.min(failures, 10));
            return new Known(last, bounded(wait, MAX_AFTER_FAILURE), failures + 1, hasSwitched);
        }
    }

    private static String keptAddressNote(@Nullable InetAddress last) {
        return last == null ? "" : ", " + last.getHostAddress() + " stays in use";
    }

    private static InetAddress choose(List<InetAddress> addresses, @Nullable InetAddress last) {
        List<InetAddress> ipv4 = addresses.stream().filter(NameResolver::isIpv4).toList();
        List<InetAddress> preferred = ipv4.isEmpty() ? addresses : ipv4;
        return last != null && preferred.contains(last) ? last : preferred.get(0);
    }

    private static Duration bounded(Duration time, Duration max) {
        if (time.compareTo(MIN) < 0) {
            return MIN;
        }
        return time.compareTo(max) > 0 ? max : time;
    }

    private static Optional<InetAddress> literal(String host) {
        try {
            return Optional.of(InetAddress.getByAddress(IpAddress.parse(host).bytes()));
        } catch (IllegalArgumentException | UnknownHostException e) {
            return Optional.empty();
        }
    }
}
