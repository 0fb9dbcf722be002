package io.ballast.net.fetch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Reads the whole body of a response, and aborts the response if the body exceeds a limit. Each instance reads one
 * response. Thread safety: {@link #stop} may be called by any thread.
 */
public final class BoundedBody implements BodySubscriber<byte[]> {

    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int max;
    private volatile Flow.@Nullable Subscription subscription;

    /** @param max the maximum length in bytes */
    public BoundedBody(int max) {
        this.max = max;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription body) {
        subscription = body;
        if (whole.isDone()) {
            body.cancel(); // the body was stopped before it started
        } else {
            body.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            if (bytes.size() + piece.remaining() > max) {
                stop(new IOException("the response is larger than " + max + " bytes"));
                return;
            }
            byte[] some = new byte[piece.remaining()];
            piece.get(some);
            bytes.writeBytes(some);
        }
    }

    /** Stops reading, which closes the connection; does nothing after the end of the body. */
    public void stop(Throwable reason) {
        if (whole.completeExceptionally(reason)) {
            Flow.Subscription open = subscription; // read last: onSubscribe sets the field, then checks the result
            if (open != null) {
                open.cancel();
            }
        }
    }

    @Override
    public void onError(Throwable cause) {
        whole.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        whole.complete(bytes.toByteArray());
    }
}
