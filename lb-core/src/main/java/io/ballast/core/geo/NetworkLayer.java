package io.ballast.core.geo;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/** Converts networks of one address family to ranges; the longest prefix wins. */
final class NetworkLayer {

    private static final Comparator<Cidr> OUTER_FIRST = Comparator.comparing(
                    Cidr::network, (a, b) -> RangeList.compare(high(a), low(a), high(b), low(b)))
            .thenComparingInt(Cidr::length);

    private final RangeList ranges = new RangeList();
    private final Deque<RegionNetwork> openNetworks = new ArrayDeque<>();

    private NetworkLayer() {}

    /**
     * Returns ranges in which each address inside a network has the {@link RegionClaim} of the network's region.
     * If networks are equal, the last one wins.
     */
    static RangeList of(List<RegionNetwork> networks, boolean ipv4) {
        NetworkLayer layer = new NetworkLayer();
        networks.stream()
                .filter(each -> each.network().network().isIpv4() == ipv4)
                .sorted(Comparator.comparing(RegionNetwork::network, OUTER_FIRST))
                .forEach(layer::addNetwork);
        layer.endNetworksUnless(each -> false);
        return layer.ranges;
    }

    /** The first 64 bits of a left-aligned address. */
    static long high(IpAddress address) {
        return address.isIpv4() ? address.low() << 32 : address.high();
    }

    /** The last 64 bits of a left-aligned address. */
    static long low(IpAddress address) {
        return address.isIpv4() ? 0 : address.low();
    }

    private void addNetwork(RegionNetwork next) {
        IpAddress start = next.network().network();
        endNetworksUnless(outer -> outer.contains(start));
        ranges.setFrom(high(start), low(start), claim(next));
        openNetworks.push(next);
    }

    private void endNetworksUnless(Predicate<Cidr> stays) {
        while (!openNetworks.isEmpty() && !stays.test(openNetworks.peek().network())) {
            Cidr left = openNetworks.pop().network();
            RegionNetwork outer = openNetworks.peek();
            int behind = outer == null ? RangeList.NOTHING : claim(outer);
            ranges.setAfter(high(left.network()), low(left.network()), left.length(), behind);
        }
    }

    private static int claim(RegionNetwork network) {
        return RegionClaim.of(RegionRule.NETWORK, network.region());
    }
}
