package io.ballast.server.compose;

import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Tests races between a change and the closing of a {@link Gate}. The results are the state that the reader saw, and
 * how often the change was executed.
 */
final class GateStress {

    private GateStress() {}

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The change passed, and the reader saw it.")
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "The change waited; neither process has seen it.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The change was lost.")
    @State
    public static class ChangeWhileTheGateCloses {

        private final Gate gate = new Gate();
        private volatile int state;
        private int seen;

        @Actor
        public void operator() {
            gate.submit(() -> {
                state++;
                return CompletableFuture.completedFuture(null);
            });
        }

        @Actor
        public void restart() {
            gate.close().join();
            seen = state;
        }

        @Arbiter
        public void end(II_Result result) {
            gate.shut();
            result.r1 = seen;
            result.r2 = state;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "The change was executed once.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The change was lost or repeated.")
    @State
    public static class ChangeWhileTheGateOpens {

        private final Gate gate = new Gate();
        private volatile int state;

        public ChangeWhileTheGateOpens() {
            gate.close();
        }

        @Actor
        public void operator() {
            gate.submit(() -> {
                state++;
                return CompletableFuture.completedFuture(null);
            });
        }

        @Actor
        public void restart() {
            gate.open();
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = state;
            result.r2 = state;
        }
    }
}
