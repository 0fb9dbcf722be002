package io.ballast.http.background;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.ballast.core.pool.Pool;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.ResponseScanner;
import io.ballast.http.net.Worker;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestTimeout;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The response to a background request, recorded on the event loop and read by the test's thread. */
final class RecordedResponse implements BackgroundResponseHandler {

    static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

    private static final int MAX_BODY_BYTES = 1000;

    private final List<String> parts = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private volatile int status;
    private volatile String head = "";
    private volatile boolean abortsAtHead;
    private volatile boolean abortsAtBody;
    private volatile boolean calledAfterAbort;
    private volatile boolean aborted;
    private @Nullable BackgroundCall call;

    /** Sends a request without a body on the first event loop. */
    static RecordedResponse send(TestBalancer balancer, String head) {
        return new RecordedResponse().begin(balancer, head, "", TestTimeout.LIMIT);
    }

    /** Aborts the request when the head of its response arrives. */
    RecordedResponse abortingAtHead() {
        abortsAtHead = true;
        return this;
    }

    /** Aborts the request when the first part of the body of its response arrives. */
    RecordedResponse abortingAtBody() {
        abortsAtBody = true;
        return this;
    }

    RecordedResponse begin(TestBalancer balancer, String head, String body, Duration timeout) {
        Worker worker = balancer.workers().all().get(0);
        return begin(worker, worker.background(), balancer.pool(), head, body, timeout);
    }

    RecordedResponse begin(
            Worker worker, BackgroundClient client, Pool pool, String requestHead, String content, Duration timeout) {
        Runnable task = () -> {
            worker.readClock();
            ByteBuf bytes = worker.allocator().directBuffer().writeBytes(content.getBytes(ISO_8859_1));
            call = client.send(
                    new BackgroundRequest(
                            pool,
                            /* generation= */ Integer.MAX_VALUE,
                            requestHead.getBytes(ISO_8859_1),
                            bytes,
                            /* hashKey= */ 0,
                            timeout,
                            MAX_BODY_BYTES),
                    this);
        };
        try {
            worker.eventLoop().submit(task).get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
        return this;
    }

    /** Aborts the request on its event loop. */
    void abort(TestBalancer balancer) throws Exception {
        balancer.workers().all().get(0).eventLoop().submit(this::abortNow).get();
    }

    private void abortNow() {
        aborted = true;
        BackgroundCall running = call;
        if (running != null) {
            running.abort();
        }
    }

    @Override
    public void head(ResponseScanner scanned, ByteBuf bytes, BodyFraming framing) {
        calledAfterAbort |= aborted;
        status = scanned.status();
        head = bytes.toString(ISO_8859_1);
        if (abortsAtHead) {
            abortNow();
        }
    }

    @Override
    public void body(ByteBuf data) {
        calledAfterAbort |= aborted;
        parts.add(data.toString(ISO_8859_1));
        if (abortsAtBody) {
            abortNow();
        }
    }

    @Override
    public void end() {
        calledAfterAbort |= aborted;
        result.complete("end");
    }

    @Override
    public void failed(BackgroundFailure failure) {
        calledAfterAbort |= aborted;
        result.complete(failure.label());
    }

    /** Waits for the end; returns {@code end} or the label of the failure. */
    String result() {
        try {
            return result.get(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the request did not end", e);
        }
    }

    boolean isAborted() {
        return aborted;
    }

    boolean isDone() {
        return result.isDone();
    }

    boolean wasCalledAfterAbort() {
        return calledAfterAbort;
    }

    int status() {
        return status;
    }

    String head() {
        return head;
    }

    String body() {
        return String.join("", parts);
    }
}
