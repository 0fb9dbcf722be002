package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.ballast.dns.answer.data.Client;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The memory layout of the socket addresses of an address family. */
enum SocketAddresses {
    IPV4(LinuxSyscalls.AF_INET, StructLayouts.SOCKADDR_IN, "sin_port", "sin_addr", 4),
    IPV6(LinuxSyscalls.AF_INET6, StructLayouts.SOCKADDR_IN6, "sin6_port", "sin6_addr", 16);

    private static final long SCOPE_ID = StructLayouts.offset(StructLayouts.SOCKADDR_IN6, "sin6_scope_id");

    private final int family;
    private final StructLayout layout;
    private final long port;
    private final long bytes;
    private final int addressBytes;

    SocketAddresses(int family, StructLayout layout, String port, String bytes, int addressBytes) {
        this.family = family;
        this.layout = layout;
        this.port = StructLayouts.offset(layout, port);
        this.bytes = StructLayouts.offset(layout, bytes);
        this.addressBytes = addressBytes;
    }

    static SocketAddresses of(InetAddress address) {
        return address instanceof Inet6Address ? IPV6 : IPV4;
    }

    int family() {
        return family;
    }

    int bytes() {
        return (int) layout.byteSize();
    }

    /** Reads the address at {@code at} into {@code client}. */
    void copyTo(MemorySegment segment, long at, Client client) {
        MemorySegment.copy(segment, JAVA_BYTE, at + bytes, client.bytes(), 0, addressBytes);
        client.set(addressBytes, Short.toUnsignedInt(segment.get(StructLayouts.PORT, at + port)));
    }

    MemorySegment allocate(InetSocketAddress address, SegmentAllocator allocator) {
        MemorySegment segment = allocator.allocate(layout);
        segment.set(JAVA_SHORT, 0, (short) family);
        segment.set(StructLayouts.PORT, port, (short) address.getPort());
        byte[] bytes = address.getAddress().getAddress();
        MemorySegment.copy(bytes, 0, segment, JAVA_BYTE, this.bytes, bytes.length);
        if (address.getAddress() instanceof Inet6Address ipv6) {
            segment.set(JAVA_INT, SCOPE_ID, ipv6.getScopeId());
        }
        return segment;
    }
}
