package io.ballast.http.files;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that open and read files, outside the event loops. The threads start with the first request, and end
 * after {@value #IDLE_SECONDS} s without requests. At most {@value #MAX_RESPONSES} responses are in progress, each with
 * at most one open file and one task, so that files, memory and the queue are bounded.
 *
 * <p>Thread safety: all methods may be called concurrently.
 */
final class FileThreads {

    /** The maximum number of responses in progress; further requests get 503. */
    static final int MAX_RESPONSES = 4096;

    /** The maximum length of a part of a body in bytes, with at most {@value #FEW_RESPONSES} responses in progress. */
    static final int LONG_PIECE_BYTES = 128 * 1024;

    /** The maximum length of a part of a body in bytes, with more responses in progress. */
    static final int SHORT_PIECE_BYTES = 64 * 1024;

    static final int FEW_RESPONSES = 512;

    /** The threads of this process. */
    static final FileThreads SHARED =
            new FileThreads(Math.min(16, 2 + 2 * Runtime.getRuntime().availableProcessors()), MAX_RESPONSES);

    private static final int IDLE_SECONDS = 30;

    private final ThreadPoolExecutor executor;
    private final AtomicInteger responses = new AtomicInteger();
    private final int maxResponses;

    FileThreads(int threads, int maxResponses) {
        this.maxResponses = maxResponses;
        this.executor = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "files");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
    }

    /** Begins a response; false if too many responses are in progress. */
    boolean tryBegin() {
        if (responses.incrementAndGet() <= maxResponses) {
            return true;
        }
        responses.decrementAndGet();
        return false;
    }

    /** Ends a response that has begun. */
    void end() {
        responses.decrementAndGet();
    }

    /** The number of responses in progress. */
    int responses() {
        return responses.get();
    }

    /**
     * The maximum length of the next part of a body in bytes. Long parts save CPU time, because the task that opens a
     * file can then read most files completely. All responses together hold at most 288 MiB.
     */
    int pieceBytes() {
        return responses.get() <= FEW_RESPONSES ? LONG_PIECE_BYTES : SHORT_PIECE_BYTES;
    }

    /** Runs a task of a response that has begun. A response has at most one task at a time. */
    void execute(Runnable task) {
        executor.execute(task);
    }
}
