package io.ballast.policy.work;

import io.ballast.http.policy.Continuation;
import io.ballast.http.policy.PendingDecision;
import io.ballast.http.policy.PolicyDecision;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The part of {@link SlowWork} that one policy may use, so that one policy cannot fill the queue. Thread safety: all
 * methods may be called concurrently; they do not block.
 */
public final class WorkShare {

    private final SlowWork work;
    private final int max;
    private final AtomicInteger inUse = new AtomicInteger();

    /** @param max the maximum number of decisions that wait or run */
    public WorkShare(SlowWork work, int max) {
        this.work = work;
        this.max = max;
    }

    /** Like {@link SlowWork#decide}, but also returns {@link SlowWork#BUSY} if the share is used up. */
    public PolicyDecision decide(Supplier<? extends Continuation> decision) {
        if (inUse.incrementAndGet() > max) {
            inUse.decrementAndGet();
            return SlowWork.BUSY;
        }
        PolicyDecision result = work.decide(decision);
        if (result instanceof PendingDecision pending) {
            pending.decision().whenComplete((decided, failure) -> inUse.decrementAndGet());
        } else {
            inUse.decrementAndGet();
        }
        return result;
    }
}
