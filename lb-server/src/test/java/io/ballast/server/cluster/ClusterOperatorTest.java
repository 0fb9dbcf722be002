package io.ballast.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.Operator;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClusterOperatorTest {

    private final CompletableFuture<Boolean> settled = new CompletableFuture<>();

    private CompletableFuture<Operator.Outcome> enable(Operator.Outcome local) {
        return new ClusterOperator(
                        new FixedOperator(local),
                        subject -> subject.equals("web/127.0.0.1:80") ? settled : new CompletableFuture<>())
                .enable("web", "127.0.0.1:80", "ann");
    }

    @Test
    void aCommittedChangeIsDone() {
        CompletableFuture<Operator.Outcome> outcome = enable(Operator.Outcome.DONE);
        assertThat(outcome).isNotDone();
        settled.complete(true);
        assertThat(outcome).isCompletedWithValue(Operator.Outcome.DONE);
    }

    @Test
    void aRejectedChangeIsReported() {
        settled.complete(false);
        assertThat(enable(Operator.Outcome.DONE)).isCompletedWithValue(Operator.Outcome.REJECTED);
    }

    @Test
    void aChangeWithoutMajorityIsPending() {
        assertThat(enable(Operator.Outcome.DONE).join()).isEqualTo(Operator.Outcome.PENDING);
    }

    @Test
    void aChangeThatThisNodeRefusesDoesNotWait() {
        assertThat(enable(Operator.Outcome.LAST_USABLE)).isCompletedWithValue(Operator.Outcome.LAST_USABLE);
    }

    private record FixedOperator(Outcome outcome) implements Operator {

        private CompletableFuture<Outcome> completed() {
            return CompletableFuture.completedFuture(outcome);
        }

        @Override
        public CompletableFuture<Outcome> overrideState(
                String pool, String address, StateOverride order, boolean confirmed) {
            return completed();
        }

        @Override
        public CompletableFuture<Outcome> overrideWeight(
                String pool, String address, WeightOverride order, boolean confirmed) {
            return completed();
        }

        @Override
        public CompletableFuture<Outcome> removeWeightOverride(String pool, String address, String who) {
            return completed();
        }

        @Override
        public CompletableFuture<Outcome> startMaintenance(String pool, OverrideTerms terms) {
            return completed();
        }

        @Override
        public CompletableFuture<Outcome> endMaintenance(String pool, String who) {
            return completed();
        }

        @Override
        public CompletableFuture<Outcome> enable(String pool, String address, String who) {
            return completed();
        }
    }
}
