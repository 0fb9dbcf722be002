package io.ballast.http.exchange;

import io.ballast.http.h1.wire.Buffers;
import io.ballast.http.head.BodyFraming;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A response that waits until a policy has evaluated it: its head and the start of its body. Event-loop confined. */
final class HeldResponse {

    private final BodyFraming framing;
    private @Nullable ByteBuf received;
    private int bodyBytes;
    private boolean ended;
    private @Nullable CompletableFuture<?> wait;

    /** @param received the head and the first {@code bodyBytes} of the body, owned by this object */
    HeldResponse(ByteBuf received, int bodyBytes, BodyFraming framing) {
        this.received = received;
        this.bodyBytes = bodyBytes;
        this.framing = framing;
    }

    void waitFor(CompletableFuture<?> decision) {
        wait = decision;
    }

    /** Adds a part of the body; consumes {@code data}. */
    void add(ByteBuf data, ByteBufAllocator allocator) {
        bodyBytes += data.readableBytes();
        received = received == null ? data : Buffers.join(received, data, allocator);
    }

    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    int bodyBytes() {
        return bodyBytes;
    }

    BodyFraming framing() {
        return framing;
    }

    /** Returns the held data, owned by the caller. */
    @Nullable ByteBuf take() {
        ByteBuf taken = received;
        received = null;
        return taken;
    }

    /** Cancels the decision of the policy, and releases the data. */
    void drop() {
        CompletableFuture<?> obsolete = wait;
        if (obsolete != null) {
            obsolete.cancel(/* mayInterruptIfRunning= */ false);
        }
        ByteBuf dropped = take();
        if (dropped != null) {
            dropped.release();
        }
    }
}
