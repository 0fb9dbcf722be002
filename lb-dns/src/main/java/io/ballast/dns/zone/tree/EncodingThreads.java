package io.ballast.dns.zone.tree;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * Encodes and signs many names on several threads; the results are in the order of the names. Thread safety:
 * confined to the thread that created it, which also receives the results.
 */
final class EncodingThreads implements AutoCloseable {

    /** The number of names that one task encodes. */
    static final int BLOCK_NAMES = 512;

    /** Queued tasks per thread. The number is small because the names of queued tasks are in memory twice. */
    private static final int TASKS_AHEAD = 2;

    private final int threads;
    private final Supplier<NameEncoder> encoders;
    private final Outcome outcome;
    private final @Nullable ExecutorService executor;
    private final Deque<Future<List<Written>>> tasks = new ArrayDeque<>();
    private List<Name> block = new ArrayList<>();

    /** Receives the encoded names in their original order. */
    @FunctionalInterface
    interface Outcome {

        /** @param written the encoded name; null if the name is too large to be stored */
        void onEncoded(Name name, byte @Nullable [] written);
    }

    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    private record Written(Name name, byte @Nullable [] bytes) {}

    /**
     * @param threads total number of threads, including the caller
     * @param encoders supplier of a new encoder for each task
     */
    EncodingThreads(int threads, Supplier<NameEncoder> encoders, Outcome outcome) {
        this.threads = threads;
        this.encoders = encoders;
        this.outcome = outcome;
        this.executor = threads == 1 ? null : Executors.newFixedThreadPool(threads, EncodingThreads::thread);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "zone-encoder");
        thread.setDaemon(true);
        return thread;
    }

    void add(Name name) {
        block.add(name);
        if (block.size() == BLOCK_NAMES) {
            begin();
        }
    }

    /** Encodes the remaining names. */
    void finish() {
        begin();
        while (!tasks.isEmpty()) {
            deliverFirst();
        }
    }

    private void begin() {
        List<Name> names = block;
        NameEncoder encoder = encoders.get();
        block = new ArrayList<>();
        if (executor == null) {
            names.forEach(name -> outcome.onEncoded(name, encoder.encode(name)));
            return;
        }
        tasks.add(executor.submit(() -> names.stream()
                .map(name -> new Written(name, encoder.encode(name)))
                .toList()));
        if (tasks.size() > TASKS_AHEAD * threads) {
            deliverFirst();
        }
    }

    private void deliverFirst() {
        try {
            tasks.remove().get().forEach(written -> outcome.onEncoded(written.name(), written.bytes()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a zone was compiled", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new IllegalStateException("a zone cannot be compiled: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        if (executor != null) {
            executor.shutdownNow();
        }
    }
}
