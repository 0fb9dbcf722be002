package io.ballast.policy.basic;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.policy.config.HashedPassword;
import io.ballast.policy.work.WorkShare;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The running verifications. Concurrent requests with the same credentials share one verification, so that a browser
 * that loads a page with many parts causes only one. The number of verifications is bounded by the {@link WorkShare}.
 *
 * <p>Thread safety: all methods may be called concurrently; they do not wait for a verification.
 */
final class PasswordVerifications {

    private final Map<CredentialsDigest, SharedVerification> running = new ConcurrentHashMap<>();
    private final WorkShare work;
    private final PasswordVerifier verifier;

    /** Turns the result of a verification into a decision for all requests that wait for it. */
    @FunctionalInterface
    interface ResultHandler {

        /** Called on the thread of the verification. */
        Continuation decide(boolean matches);
    }

    PasswordVerifications(WorkShare work, PasswordVerifier verifier) {
        this.work = work;
        this.verifier = verifier;
    }

    /** Returns the result of the running verification of the same credentials; null if there is none. */
    @Nullable CompletableFuture<? extends Continuation> running(CredentialsDigest digest) {
        SharedVerification same = running.get(digest);
        return same == null ? null : same.join();
    }

    /**
     * Starts a verification. Two event loops that start a verification of the same credentials at the same time may run
     * it twice.
     *
     * @return the result of the verification; null if too many verifications wait or run
     */
    @Nullable CompletableFuture<? extends Continuation> start(
            CredentialsDigest digest, HashedPassword hash, byte[] password, ResultHandler handler) {
        PolicyDecision decision = work.decide(() -> {
            Continuation result = handler.decide(verifier.verify(hash, password));
            running.remove(digest); // before the requests continue, so that no later request joins it
            return result;
        });
        if (!(decision instanceof PendingDecision pending)) {
            return null;
        }
        SharedVerification started = new SharedVerification(pending.decision());
        running.put(digest, started);
        pending.decision().whenComplete((result, failure) -> running.remove(digest, started));
        return started.first();
    }

    /** The number of requests that wait for a verification. */
    int waiting() {
        return running.values().stream().mapToInt(SharedVerification::waiting).sum();
    }
}
