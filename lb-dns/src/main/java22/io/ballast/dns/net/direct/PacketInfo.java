package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * Reads the local address to which each datagram of a batch was sent, in the kernel's format, and sets it as
 * the source address of the response. Each datagram has one control message, {@code in_pktinfo} or {@code
 * in6_pktinfo} (<a href="https://datatracker.ietf.org/doc/html/rfc3542#section-6">RFC 3542 section 6</a>).
 * Used for wildcard sockets, because clients accept a response only from the address they queried.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates only in the constructor.
 */
final class PacketInfo {

    static final int STRIDE = 64;

    /** Size of the header {@code cmsghdr}: length, level, type. */
    private static final int HEADER_BYTES = 16;

    /** Offset of the interface in {@code in_pktinfo}, where it precedes the two addresses. */
    private static final int INTERFACE_IPV4 = HEADER_BYTES;
    /** Offset of the interface in {@code in6_pktinfo}, where it follows the address. */
    private static final int INTERFACE_IPV6 = HEADER_BYTES + 16;

    private final SocketAddresses addresses;
    private final MemorySegment messages;

    PacketInfo(int count, SocketAddresses addresses, SegmentAllocator allocator) {
        this.addresses = addresses;
        this.messages = allocator.allocate((long) count * STRIDE, STRIDE);
    }

    /** Bytes of memory for the packet information of one datagram. */
    int bytes() {
        return STRIDE;
    }

    /** Memory address of the packet information of datagram {@code index}. */
    long address(int index) {
        return messages.address() + (long) index * STRIDE;
    }

    /** Copies the packet information of datagram {@code index}. */
    byte[] copy(int index, int length) {
        return messages.asSlice((long) index * STRIDE, length).toArray(JAVA_BYTE);
    }

    /**
     * Converts received packet information for sending. The interface is removed, so that the routing table
     * selects it, unless the address is valid only on that interface.
     */
    void turn(int index) {
        long at = (long) index * STRIDE;
        if (addresses == SocketAddresses.IPV4) {
            messages.set(JAVA_INT, at + INTERFACE_IPV4, 0);
        } else if (!isLinkLocal(at + HEADER_BYTES)) {
            messages.set(JAVA_INT, at + INTERFACE_IPV6, 0);
        }
    }

    /** Whether the address belongs to fe80::/10. */
    private boolean isLinkLocal(long address) {
        return messages.get(JAVA_BYTE, address) == (byte) 0xfe && (messages.get(JAVA_BYTE, address + 1) & 0xc0) == 0x80;
    }
}
