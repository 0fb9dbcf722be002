package io.ballast.dns.config.forward;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reverse zones of addresses that have a meaning only within one network. Resolvers on the internet have no
 * data for them (<a href="https://datatracker.ietf.org/doc/html/rfc6303">RFC 6303</a>, RFC 7793 for shared
 * addresses).
 */
public final class LocalReverseZones {

    /** Reverse zones of private, shared and link-local addresses. A router may have names for these addresses. */
    public static final List<String> PRIVATE = Stream.of(
                    Stream.of("10.in-addr.arpa", "168.192.in-addr.arpa", "254.169.in-addr.arpa"),
                    IntStream.rangeClosed(16, 31).mapToObj(i -> i + ".172.in-addr.arpa"),
                    IntStream.rangeClosed(64, 127).mapToObj(i -> i + ".100.in-addr.arpa"),
                    Stream.of("d.f.ip6.arpa", "8.e.f.ip6.arpa", "9.e.f.ip6.arpa", "a.e.f.ip6.arpa", "b.e.f.ip6.arpa"))
            .flatMap(zones -> zones)
            .toList();

    /**
     * Reverse zones of addresses that no host in a network uses: this host, loopback, documentation, broadcast.
     */
    public static final List<String> UNUSED = List.of(
            "0.in-addr.arpa",
            "127.in-addr.arpa",
            "2.0.192.in-addr.arpa",
            "100.51.198.in-addr.arpa",
            "113.0.203.in-addr.arpa",
            "255.255.255.255.in-addr.arpa",
            "0.".repeat(32) + "ip6.arpa",
            "1." + "0.".repeat(31) + "ip6.arpa",
            "8.b.d.0.1.0.0.2.ip6.arpa");

    private LocalReverseZones() {}
}
