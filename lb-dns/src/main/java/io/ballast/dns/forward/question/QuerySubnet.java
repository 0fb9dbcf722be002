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
    private boolean longest;
    private long high;
    private long low;
    private boolean asTold;

    /** No client subnet. */
    public void none() {
        set(ClientSubnet.NONE);
    }

    /** The client asks that no address is used. */
    public void optOut() {
        set(ClientSubnet.OPT_OUT);
    }

    private void set(ClientSubnet subnet) {
        family = subnet.family();
        bits = subnet.bits();
        longest = subnet.isLongest();
        high = subnet.high();
        low = subnet.low();
        asTold = false;
    }

    /**
     * Sets the network from an address in the form of {@link IpAddress}.
     *
     * @param first the number of leading bits, at least 1
     * @param isLongest whether this is the longest prefix that is ever sent
     * @param isAsTold whether the client sent this network
     */
    public void network(long addressHigh, long addressLow, int first, boolean isLongest, boolean isAsTold) {
        family = IpAddress.isIpv4(addressHigh, addressLow) ? SubnetOption.IPV4 : SubnetOption.IPV6;
        bits = first;
        longest = isLongest;
        high = ClientSubnet.high(family, first, addressHigh);
        low = ClientSubnet.low(family, first, addressLow);
        asTold = isAsTold;
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

    /** Returns whether scopes refer to the network that the client sent. */
    public boolean isAsTold() {
        return asTold;
    }

    public ClientSubnet toSubnet() {
        return family == 0 ? ClientSubnet.NONE : new ClientSubnet(family, bits, longest, high, low);
    }
}
