package io.ballast.core.pool;

import io.ballast.core.backend.Backend;
import io.ballast.core.testing.Backends;
import java.lang.invoke.VarHandle;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Tests races between the threads that use a {@link WaitQueue}. The results are the number of served waiters, and the
 * number of permits in use at the end.
 */
final class WaitQueueStress {

    private WaitQueueStress() {}

    private static final class Waiting extends WaitQueue.Waiter {

        private volatile int served;

        @Override
        protected void onPermit(Backend backend) {
            served++;
        }

        @Override
        protected void onNoBackendUp() {}
    }

    /** A backend whose only permit is in use. */
    private abstract static class FullBackend {

        final Backend backend = Backends.backend(0, /* maxInFlight= */ 1);
        final WaitQueue queue = new WaitQueue(/* size= */ 10);
        final Waiting first = new Waiting();
        final Waiting second = new Waiting();

        FullBackend() {
            backend.inFlight().begin();
        }

        /** Joins the queue and checks again for a permit, as an event loop does. */
        final void join(Waiting waiting) {
            queue.join(waiting);
            VarHandle.fullFence();
            if (backend.inFlight().tryBegin()) {
                queue.release(backend);
            }
        }

        final void result(II_Result result) {
            result.r1 = first.served + second.served;
            result.r2 = (int) backend.inFlight().count();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The waiter has the permit.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A waiter was lost or served twice, or a permit was lost.")
    @State
    public static class JoinWhileAPermitIsReleased extends FullBackend {

        @Actor
        public void waiter() {
            join(first);
        }

        @Actor
        public void other() {
            queue.release(backend);
        }

        @Arbiter
        public void end(II_Result result) {
            result(result);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "It was served before it could leave.")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "It left, and the permit is free.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "It left and was served, or the permit was lost.")
    @State
    public static class LeaveWhileAPermitIsReleased extends FullBackend {

        public LeaveWhileAPermitIsReleased() {
            queue.join(first);
        }

        @Actor
        public void waiter() {
            queue.leave(first);
        }

        @Actor
        public void other() {
            queue.release(backend);
        }

        @Arbiter
        public void end(II_Result result) {
            result(result);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "One of two has the only permit.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A waiter was lost, two share a permit, or a permit was lost.")
    @State
    public static class TwoJoinWhileAPermitIsReleased extends FullBackend {

        @Actor
        public void firstWaiter() {
            join(first);
        }

        @Actor
        public void secondWaiter() {
            queue.release(backend);
            join(second);
        }

        @Arbiter
        public void end(II_Result result) {
            result(result);
        }
    }
}
