package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * The headers of a batch of datagrams (for each datagram one {@code mmsghdr} with one {@code iovec}), and
 * memory for their contents.
 *
 * <p>Thread safety: confined to one thread. Cost: allocates only in the constructor.
 */
final class MessageVector {

    private static final long HEADER_BYTES = StructLayouts.MMSGHDR.byteSize();
    private static final long IOVEC_BYTES = StructLayouts.IOVEC.byteSize();
    private static final long CACHE_LINE_BYTES = 64;

    private static final long NAME = StructLayouts.offset(StructLayouts.MMSGHDR, "msg_hdr", "msg_name");
    private static final long NAME_LENGTH = StructLayouts.offset(StructLayouts.MMSGHDR, "msg_hdr", "msg_namelen");
    private static final long IOV = StructLayouts.offset(StructLayouts.MMSGHDR, "msg_hdr", "msg_iov");
    private static final long IOV_LENGTH = StructLayouts.offset(StructLayouts.MMSGHDR, "msg_hdr", "msg_iovlen");
    private static final long CONTROL = StructLayouts.offset(StructLayouts.MMSGHDR, "msg_hdr", "msg_control");
    private static final long CONTROL_LENGTH = StructLayouts.offset(StructLayouts.MMSGHDR, "msg_hdr", "msg_controllen");
    private static final long RECEIVED = StructLayouts.offset(StructLayouts.MMSGHDR, "msg_len");
    private static final long BASE = StructLayouts.offset(StructLayouts.IOVEC, "iov_base");
    private static final long LENGTH = StructLayouts.offset(StructLayouts.IOVEC, "iov_len");

    private final int count;
    private final MemorySegment headers;
    private final MemorySegment vectors;
    private final MemorySegment contents;
    private final long contentStride;

    /** @param contentBytes size of the memory for the content of each datagram */
    MessageVector(int count, int contentBytes, SegmentAllocator allocator) {
        this(count, contentBytes, allocator, allocator);
    }

    /**
     * Like {@link #MessageVector(int, int, SegmentAllocator)}, with a separate allocator for contents.
     *
     * @param ofContents allocator of the memory for the contents of the datagrams
     */
    MessageVector(int count, int contentBytes, SegmentAllocator allocator, SegmentAllocator ofContents) {
        this.count = count;
        // The distance between contents is an odd number of cache lines. At a power-of-two distance, all contents
        // would map to the same few cache sets and evict each other.
        this.contentStride = (Math.ceilDiv(contentBytes, CACHE_LINE_BYTES) | 1) * CACHE_LINE_BYTES;
        this.headers = allocator.allocate(count * HEADER_BYTES, CACHE_LINE_BYTES);
        this.vectors = allocator.allocate(count * IOVEC_BYTES, CACHE_LINE_BYTES);
        this.contents = ofContents.allocate(count * contentStride, CACHE_LINE_BYTES);
        for (int i = 0; i < count; i++) {
            vectors.set(ADDRESS, i * IOVEC_BYTES + BASE, contents.asSlice(i * contentStride, contentBytes));
            vectors.set(JAVA_LONG, i * IOVEC_BYTES + LENGTH, contentBytes);
            headers.set(ADDRESS, i * HEADER_BYTES + IOV, vectors.asSlice(i * IOVEC_BYTES, IOVEC_BYTES));
            headers.set(JAVA_LONG, i * HEADER_BYTES + IOV_LENGTH, 1);
        }
    }

    int count() {
        return count;
    }

    /** All message headers, in the layout of the system calls. */
    MemorySegment headers() {
        return headers;
    }

    MemorySegment headersFrom(int index) {
        return headers.asSlice(index * HEADER_BYTES);
    }

    /** The contents of all messages. The content of one message starts at {@link #contentOffset}. */
    MemorySegment contents() {
        return contents;
    }

    long contentOffset(int index) {
        return index * contentStride;
    }

    /** Sets the memory address and length of a message's peer address. */
    void name(int index, long address, int length) {
        headers.set(JAVA_LONG, index * HEADER_BYTES + NAME, address);
        nameLength(index, length);
    }

    void nameLength(int index, int length) {
        headers.set(JAVA_INT, index * HEADER_BYTES + NAME_LENGTH, length);
    }

    /** Sets the memory address and length of a message's control data. */
    void control(int index, long address, long length) {
        headers.set(JAVA_LONG, index * HEADER_BYTES + CONTROL, address);
        controlLength(index, length);
    }

    void controlLength(int index, long length) {
        headers.set(JAVA_LONG, index * HEADER_BYTES + CONTROL_LENGTH, length);
    }

    /** Number of received bytes of control data. */
    long controlLength(int index) {
        return headers.get(JAVA_LONG, index * HEADER_BYTES + CONTROL_LENGTH);
    }

    void contentLength(int index, int length) {
        vectors.set(JAVA_LONG, index * IOVEC_BYTES + LENGTH, length);
    }

    /** Number of received bytes of content. */
    int received(int index) {
        return headers.get(JAVA_INT, index * HEADER_BYTES + RECEIVED);
    }
}
