package io.ballast.policy.forward;

import io.ballast.http.policy.DirectResponse;
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
 * Reads the body of an answer, and fails if it is longer than a {@link DirectResponse} may be. Thread safety: {@link #stop}
 * may be called by any thread.
 */
final class AuthAnswerBody implements BodySubscriber<byte[]> {

    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private volatile Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription body) {
        subscription = body;
        if (whole.isDone()) {
            body.cancel(); // stopped before
        } else {
            body.request(Long.MAX_VALUE);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            if (bytes.size() + piece.remaining() > DirectResponse.MAX_BODY_BYTES) {
                stop(new IOException("the body is longer than " + DirectResponse.MAX_BODY_BYTES + " bytes"));
                return;
            }
            byte[] some = new byte[piece.remaining()];
            piece.get(some);
            bytes.writeBytes(some);
        }
    }

    /** Stops reading, which closes the connection; does nothing after the end of the body. */
    void stop(Throwable reason) {
        if (whole.completeExceptionally(reason)) {
            Flow.Subscription open =
                    subscription; // read afterwards: onSubscribe checks the result after it has set this
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
