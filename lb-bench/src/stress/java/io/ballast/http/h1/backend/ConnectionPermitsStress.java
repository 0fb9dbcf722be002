package io.ballast.http.h1.backend;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Tests races between the threads that use {@link ConnectionPermits}. The results are the number of granted claims, and
 * the number of permits in use at the end.
 */
final class ConnectionPermitsStress {

    private ConnectionPermitsStress() {}

    /** A state in which the only permit is in use. */
    private abstract static class AllTaken {

        final ConnectionPermits<Object> permits = new ConnectionPermits<>(/* max= */ 1);
        final Object claim = new Object();
        /**
         * The number of granted claims, with one field for each actor, so that no actor overwrites the count of another
         * one.
         */
        int grantedByWaiter;

        int grantedByOther;

        AllTaken() {
            permits.tryAcquire();
        }

        /** Releases a permit, as {@link ConnectionQuota#releasePermit} does; returns the number of claims that got it. */
        final int release() {
            return permits.release() == null ? 0 : 1;
        }

        final void result(II_Result result) {
            result.r1 = grantedByWaiter + grantedByOther;
            result.r2 = permits.acquired();
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The claim has the permit.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The claim was lost, or a permit was lost.")
    @State
    public static class ClaimWhileAPermitIsReleased extends AllTaken {

        @Actor
        public void waiter() {
            if (permits.claim(claim)) {
                grantedByWaiter = release();
            }
        }

        @Actor
        public void other() {
            grantedByOther = release();
        }

        @Arbiter
        public void end(II_Result result) {
            result(result);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The claim was granted before it could be cancelled.")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "It was cancelled, and the permit is free.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Cancelled and granted, or a permit was lost.")
    @State
    public static class CancelWhileAPermitIsReleased extends AllTaken {

        private boolean cancelled;

        public CancelWhileAPermitIsReleased() {
            permits.claim(claim);
        }

        @Actor
        public void waiter() {
            cancelled = permits.cancel(claim);
        }

        @Actor
        public void other() {
            grantedByOther = release();
        }

        @Arbiter
        public void end(II_Result result) {
            result(result);
            if (cancelled == (result.r1 == 1)) {
                result.r2 = -1; // both or none of cancel and grant succeeded
            }
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The claim has the permit, in either order.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The claim was lost, or a permit was lost or duplicated.")
    @State
    public static class ClaimWhileAnotherTakesAndReleases extends AllTaken {

        @Actor
        public void waiter() {
            if (permits.claim(claim)) {
                grantedByWaiter = release();
            }
        }

        @Actor
        public void owner() {
            grantedByOther = release();
            if (permits.tryAcquire()) {
                grantedByOther += release();
            }
        }

        @Arbiter
        public void end(II_Result result) {
            result(result);
        }
    }
}
