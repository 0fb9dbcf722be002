package io.ballast.dns.forward.upstream;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Records the result of an attempt. */
class RecordedAttempt implements Attempt.Listener {

    private static final long TIMEOUT_SECONDS = 20;

    private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
    private final CompletableFuture<AttemptFailure> failure = new CompletableFuture<>();
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void onAnswer(Attempt attempt, byte[] message, int length) {
        count.incrementAndGet();
        answer.complete(Arrays.copyOf(message, length));
    }

    @Override
    public void onFailure(Attempt attempt, AttemptFailure why) {
        count.incrementAndGet();
        failure.complete(why);
    }

    byte[] answer() {
        return get(answer);
    }

    AttemptFailure failure() {
        return get(failure);
    }

    /** Number of reported results. */
    int resultCount() {
        return count.get();
    }

    private <T> T get(CompletableFuture<T> future) {
        CompletableFuture.anyOf(answer, failure)
                .orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .join();
        if (!future.isDone()) {
            throw new AssertionError("failed: " + failure.getNow(null), new TimeoutException());
        }
        return future.join();
    }
}
