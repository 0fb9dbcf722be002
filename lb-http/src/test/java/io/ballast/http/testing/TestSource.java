package io.ballast.http.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.ballast.http.local.ResponseSink;
import io.ballast.http.local.ResponseSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A source whose body consists of letters. Sends as much as the client accepts; after {@link #manual}, the test calls
 * the sink instead.
 */
public final class TestSource implements ResponseSource {

    private static final int PIECE_BYTES = 16 * 1024;

    private final String head;
    private final long bodyBytes;
    private final CompletableFuture<ResponseSink> sink = new CompletableFuture<>();
    private final AtomicInteger cancellations = new AtomicInteger();
    private final AtomicLong sentBytes = new AtomicLong();
    private boolean isManual;
    private boolean ended;
    private volatile @Nullable RuntimeException fault;

    /** @param head the status line and the header lines, each with its line end */
    public TestSource(String head, long bodyBytes) {
        this.head = head;
        this.bodyBytes = bodyBytes;
    }

    /** Returns a source whose response has a {@code Content-Length}. */
    public static TestSource ofLength(int bodyBytes) {
        return new TestSource("HTTP/1.1 200 OK\r\nX-Local: 1\r\nContent-Length: " + bodyBytes + "\r\n", bodyBytes);
    }

    /** Lets the test call the sink. */
    public TestSource manual() {
        isManual = true;
        return this;
    }

    /** Lets the source throw an exception when it is started. */
    public TestSource failingWith(RuntimeException exception) {
        fault = exception;
        return this;
    }

    /** The body of a response of this length. */
    public static String body(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(letter(i));
        }
        return text.toString();
    }

    private static char letter(long at) {
        return (char) ('a' + at % 23);
    }

    /** Runs an action with the sink on its event loop. */
    public void run(Consumer<ResponseSink> action) {
        ResponseSink started = sink.join();
        started.eventLoop().submit(() -> action.accept(started)).syncUninterruptibly();
    }

    public boolean isStarted() {
        return sink.isDone();
    }

    public int cancellations() {
        return cancellations.get();
    }

    public long sentBytes() {
        return sentBytes.get();
    }

    @Override
    public void start(ResponseSink started) {
        sink.complete(started);
        RuntimeException thrown = fault;
        if (thrown != null) {
            throw thrown;
        }
        if (!isManual) {
            started.head(head.getBytes(US_ASCII), head.length());
            resume();
        }
    }

    @Override
    public void resume() {
        if (isManual || ended) {
            return;
        }
        ResponseSink open = sink.join();
        while (sentBytes.get() < bodyBytes && open.isWritable()) {
            send(open);
        }
        if (sentBytes.get() == bodyBytes && !ended) {
            ended = true;
            open.end();
        }
    }

    private void send(ResponseSink open) {
        int length = (int) Math.min(PIECE_BYTES, bodyBytes - sentBytes.get());
        byte[] piece = new byte[length];
        for (int i = 0; i < length; i++) {
            piece[i] = (byte) letter(sentBytes.get() + i);
        }
        sentBytes.addAndGet(length);
        open.body(open.allocator().directBuffer(length).writeBytes(piece));
    }

    @Override
    public void cancel() {
        ended = true;
        cancellations.incrementAndGet();
    }
}
