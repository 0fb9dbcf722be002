package io.ballast.dns.net.direct;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * A batch of datagrams to send. It holds copies of their contents and addresses.
 *
 * <p>Thread safety: used by one thread at a time.
 */
final class DeferredBatch {

    private final MessageVector messages;
    private final MemorySegment names;
    private final MemorySegment controls;
    private final MemorySegment errno;
    private final int addressBytes;
    private int count;

    /** @param allocator allocator of memory with the lifetime of this object */
    DeferredBatch(int max, int maxBytes, SocketAddresses addresses, SegmentAllocator allocator) {
        this.messages = new MessageVector(max, maxBytes, allocator);
        this.names = allocator.allocate((long) max * addresses.bytes(), Long.BYTES);
        this.controls = allocator.allocate((long) max * PacketInfo.STRIDE, Long.BYTES);
        this.errno = allocator.allocate(LinuxSyscalls.ERRNO);
        this.addressBytes = addresses.bytes();
        for (int i = 0; i < max; i++) {
            messages.name(i, names.address() + (long) i * addressBytes, addressBytes);
        }
    }

    int count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == messages.count();
    }

    /**
     * Adds a datagram. The batch must have space for it.
     *
     * @param client socket address of the client in native format
     * @param source control data with the source address; empty if it is not needed
     */
    void add(byte[] client, byte[] source, byte[] content, int length) {
        int index = count++;
        long control = (long) index * PacketInfo.STRIDE;
        MemorySegment.copy(client, 0, names, JAVA_BYTE, (long) index * addressBytes, client.length);
        MemorySegment.copy(source, 0, controls, JAVA_BYTE, control, source.length);
        messages.control(index, source.length == 0 ? 0 : controls.address() + control, source.length);
        MemorySegment.copy(content, 0, messages.contents(), JAVA_BYTE, messages.contentOffset(index), length);
        messages.contentLength(index, length);
    }

    /**
     * Sends the datagrams without blocking; they remain in the batch until {@link #clear}.
     *
     * @return number of datagrams that could not be sent
     */
    int send(UdpSocket socket) {
        return socket.sendAll(messages, count, errno);
    }

    void clear() {
        count = 0;
    }
}
