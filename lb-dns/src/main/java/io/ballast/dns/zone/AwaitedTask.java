package io.ballast.dns.zone;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;

/** Runs work on another thread and waits for its result. */
final class AwaitedTask {

    private AwaitedTask() {}

    /** Work that may fail with an I/O error. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }

    /** Runs work on an executor, and returns its result or throws its exception. */
    static <T> T runOn(Executor executor, Work<T> work) throws IOException {
        CompletableFuture<T> done = new CompletableFuture<>();
        executor.execute(() -> {
            try {
                done.complete(work.run());
            } catch (IOException | RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        try {
            return done.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof IOException failed) {
                throw failed;
            }
            if (cause instanceof RuntimeException defect) {
                throw defect;
            }
            if (cause instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
