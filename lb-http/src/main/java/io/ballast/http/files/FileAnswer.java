package io.ballast.http.files;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The prepared response to a request.
 *
 * @param head the head in the format of {@link io.ballast.http.local.ResponseSink#head}
 * @param first the whole body, or its first part; owned by the receiver; null for no body
 * @param file the open file with the rest of the body, owned by the receiver; null if {@code first} is the whole body
 * @param position the position of the rest in the file
 * @param rest the length of the rest in bytes
 */
@SuppressWarnings("ArrayRecordComponent") // answers are never compared
record FileAnswer(
        byte[] head, @Nullable ByteBuf first, @Nullable OpenFile file, long position, long rest) {}
