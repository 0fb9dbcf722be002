package io.ballast.dns.forward.filter.list;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Writes the body of an HTTP response to a file. Aborts if the body exceeds the limit. Calls are serialized. */
final class FileBody implements BodySubscriber<Path> {

    private final CompletableFuture<Path> result = new CompletableFuture<>();
    private final Path file;
    private final long maxBytes;
    private @Nullable FileChannel channel;
    private Flow.@Nullable Subscription subscription;
    private long writtenBytes;

    FileBody(Path file, long max) {
        this.file = file;
        this.maxBytes = max;
    }

    @Override
    public CompletionStage<Path> getBody() {
        return result;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        try {
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
            subscription.request(1);
        } catch (IOException e) {
            fail(e);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> pieces) {
        FileChannel to = channel;
        Flow.Subscription from = subscription;
        if (to == null || from == null || result.isDone()) {
            return;
        }
        try {
            for (ByteBuffer piece : pieces) {
                writtenBytes += piece.remaining();
                if (writtenBytes > maxBytes) {
                    throw BoundedInput.tooLong(maxBytes);
                }
                while (piece.hasRemaining()) {
                    int unused = to.write(piece);
                }
            }
            from.request(1);
        } catch (IOException e) {
            fail(e);
        }
    }

    private void fail(IOException cause) {
        if (subscription != null) {
            subscription.cancel();
        }
        onError(cause);
    }

    @Override
    public void onError(Throwable cause) {
        close();
        result.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        close();
        result.complete(file);
    }

    private void close() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                result.completeExceptionally(e);
            }
        }
    }
}
