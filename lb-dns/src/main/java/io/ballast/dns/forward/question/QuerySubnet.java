package io.ballast.dns.forward.question;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.wire.SubnetOption;

/**
 * The subnet of the current query: a mutable {@link ClientSubnet}, reused for all queries of a thread.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates in {@link #toSubnet} only.
 */
public final class QuerySubnet {

    private int family;
    private int bits;
    private boolean isLongestPrefix;
    private long high;
    private long low;
    private boolean fromClientOption;

    /** Records that the query has no client subnet. */
    public void setNone() {
        set(ClientSubnet.NONE);
    }

    /** Records the opt-out of a client: it requests that its address is not used. */
    public void setOptOut() {
        set(ClientSubnet.OPT_OUT);
    }

    private void set(ClientSubnet subnet) {
        family = subnet.family();
        bits = subnet.bits();
        isLongestPrefix = subnet.isLongestPrefix();
        high = subnet.high();
        low = subnet.low();
        fromClientOption = false;
    }

    /**
     * Sets the network from an address in the form of {@link IpAddress}.
     *
     * @param prefixBits the number of leading bits, at least 1
     * @param isLongest whether this is the longest prefix that is ever sent
     * @param isFromClientOption whether the client sent this network
     */
    public void setNetwork(
            long addressHigh, long addressLow, int prefixBits, boolean isLongest, boolean isFromClientOption) {
        family = IpAddress.isIpv4(addressHigh, addressLow) ? SubnetOption.IPV4 : SubnetOption.IPV6;
        bits = prefixBits;
        isLongestPrefix = isLongest;
        high = ClientSubnet.high(family, prefixBits, addressHigh);
        low = ClientSubnet.low(family, prefixBits, addressLow);
        fromClientOption = isFromClientOption;
    }

    public int family() {
        return family;
    }

    public int bits() {
        return bits;
    }

    public long high() {
        return high;
    }

    public long low() {
        return low;
    }

    /** Whether the subnet comes from the client's ECS option. If so, ECS scopes refer to that subnet. */
    public boolean isFromClientOption() {
        return fromClientOption;
    }

    public ClientSubnet toSubnet() {
        return family == 0 ? ClientSubnet.NONE : new ClientSubnet(family, bits, isLongestPrefix, high, low);
    }
}
