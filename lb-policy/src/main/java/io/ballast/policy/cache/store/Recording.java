package io.ballast.policy.cache.store;

import java.nio.ByteBuffer;

/** A body that is being received. Confined to one thread. */
public interface Recording {

    /**
     * Adds bytes.
     *
     * @return false if the body is too long or there is no memory, or if an earlier call returned false. The recording
     *     keeps the bytes that it has taken; the other bytes remain in {@code data}
     */
    boolean add(ByteBuffer data);

    /** The number of added bytes. */
    long length();

    /** Copies bytes from a position into the target, as many as it has room for; they must have been added. */
    void read(long position, ByteBuffer target);
}
