package io.ballast.dns.answer.data;

import io.ballast.dns.wire.RecordType;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address family: IPv4 or IPv6. Each family has its own record type and pool members, and failover is decided
 * separately for each family.
 */
public enum AddressFamily {
    IPV4(RecordType.A, 4, Inet4Address.class),
    IPV6(RecordType.AAAA, 16, Inet6Address.class);

    private final int type;
    private final int addressBytes;
    private final Class<? extends InetAddress> addressClass;

    AddressFamily(int type, int addressBytes, Class<? extends InetAddress> addressClass) {
        this.type = type;
        this.addressBytes = addressBytes;
        this.addressClass = addressClass;
    }

    /** The type of the address records: A or AAAA. */
    public int type() {
        return type;
    }

    int addressBytes() {
        return addressBytes;
    }

    /** Whether the address belongs to this family; false for null. */
    public boolean holds(@Nullable InetAddress address) {
        return addressClass.isInstance(address);
    }
}
