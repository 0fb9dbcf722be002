package io.ballast.dns.forward.question;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.wire.SubnetOption;

/**
 * What would be told of the network of who asks now: a {@link ClientSubnet} that is filled in for one query after the other.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates nothing but in {@link #toSubnet}.
 */
public final class AskedSubnet {

    private int family;
    private int bits;
    private boolean longest;
    private long high;
    private long low;
    private boolean asTold;

    /** Nothing is told. */
    public void none() {
        set(ClientSubnet.NONE);
    }

    /** No address is to be used. */
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
     * A network, of an address as {@link IpAddress} has it.
     *
     * @param first leading bits that count, 1 or more
     * @param isLongest whether no more bits are told of anybody
     * @param isAsTold whether it is the one that the client has told
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

    /** Whether scopes are about the network that the client has told. */
    public boolean isAsTold() {
        return asTold;
    }

    public ClientSubnet toSubnet() {
        return family == 0 ? ClientSubnet.NONE : new ClientSubnet(family, bits, longest, high, low);
    }
}
