package io.ballast.discovery.remote;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Reads a whole body and aborts if it exceeds the limit. */
final class BoundedBody implements BodySubscriber<byte[]> {

    private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final int max;
    private Flow.@Nullable Subscription subscription;

    /** @param max the maximum length in bytes */
    BoundedBody(int max) {
        this.max = max;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription body) {
        subscription = body;
        body.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        for (ByteBuffer piece : pieces) {
            byte[] some = new byte[piece.remaining()];
            piece.get(some);
            if (bytes.size() + some.length > max && subscription != null) {
                subscription.cancel();
                whole.completeExceptionally(new IOException("the response is larger than " + max + " bytes"));
                return;
            }
            bytes.writeBytes(some);
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
