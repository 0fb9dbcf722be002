package io.ballast.dns.net.direct;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The memory layout of the structures for system calls, on 64-bit Linux. */
final class StructLayouts {

    static final ValueLayout.OfShort PORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);

    static final StructLayout SOCKADDR_IN = structLayout(
            JAVA_SHORT.withName("sin_family"),
            PORT.withName("sin_port"),
            sequenceLayout(4, JAVA_BYTE).withName("sin_addr"),
            paddingLayout(8));

    static final StructLayout SOCKADDR_IN6 = structLayout(
            JAVA_SHORT.withName("sin6_family"),
            PORT.withName("sin6_port"),
            JAVA_INT.withName("sin6_flowinfo"),
            sequenceLayout(16, JAVA_BYTE).withName("sin6_addr"),
            JAVA_INT.withName("sin6_scope_id"));

    static final StructLayout IOVEC = structLayout(ADDRESS.withName("iov_base"), JAVA_LONG.withName("iov_len"));

    static final StructLayout MSGHDR = structLayout(
            ADDRESS.withName("msg_name"),
            JAVA_INT.withName("msg_namelen"),
            paddingLayout(4),
            ADDRESS.withName("msg_iov"),
            JAVA_LONG.withName("msg_iovlen"),
            ADDRESS.withName("msg_control"),
            JAVA_LONG.withName("msg_controllen"),
            JAVA_INT.withName("msg_flags"),
            paddingLayout(4));

    static final StructLayout MMSGHDR =
            structLayout(MSGHDR.withName("msg_hdr"), JAVA_INT.withName("msg_len"), paddingLayout(4));

    private StructLayouts() {}

    /** Offset of a field in a structure. */
    static long offset(StructLayout structure, String... path) {
        MemoryLayout.PathElement[] elements = new MemoryLayout.PathElement[path.length];
        for (int i = 0; i < path.length; i++) {
            elements[i] = groupElement(path[i]);
        }
        return structure.byteOffset(elements);
    }
}
