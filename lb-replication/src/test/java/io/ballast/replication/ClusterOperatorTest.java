package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.fact.ChangeResult;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.control.RejectedChangeException;
import io.ballast.core.health.Operator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ClusterOperatorTest {

    private final CompletableFuture<ChangeResult> result = new CompletableFuture<>();
    private final List<Predicate<String>> watched = new ArrayList<>();

    private CompletableFuture<Operator.Outcome> enable(Operator.Outcome local) {
        CommitWait commits = new CommitWait(keys -> {
            watched.add(keys);
            return Optional.of(max -> result);
        });
        return new ClusterOperator(new FixedOperator(local), commits).enable("web", "127.0.0.1:80", "ann");
    }

    @Test
    void aCommittedChangeIsDone() {
        CompletableFuture<Operator.Outcome> outcome = enable(Operator.Outcome.DONE);
        assertThat(outcome).isNotDone();
        result.complete(ChangeResult.COMMITTED);
        assertThat(outcome).isCompletedWithValue(Operator.Outcome.DONE);
    }

    @Test
    void aRejectedChangeFailsWithTheReason() {
        result.complete(new ChangeResult(ChangeResult.Status.REJECTED, "another node changed the fact meanwhile"));
        assertThat(enable(Operator.Outcome.DONE))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(RejectedChangeException.class)
                .withMessage("the cluster rejected this change: another node changed the fact meanwhile");
    }

    @Test
    void aChangeWithoutMajorityIsPending() {
        result.complete(ChangeResult.PENDING);
        assertThat(enable(Operator.Outcome.DONE)).isCompletedWithValue(Operator.Outcome.PENDING);
    }

    @Test
    void beforeThisNodeIsInTheClusterChangesArePending() {
        CommitWait commits = new CommitWait(keys -> Optional.empty());
        assertThat(new ClusterOperator(new FixedOperator(Operator.Outcome.DONE), commits).endMaintenance("web", "ann"))
                .isCompletedWithValue(Operator.Outcome.PENDING);
    }

    @Test
    void onlyTheFactsOfTheBackendAreWatched() {
        CompletableFuture<Operator.Outcome> unused = enable(Operator.Outcome.DONE);
        assertThat(watched).singleElement().satisfies(keys -> {
            assertThat(keys.test("override/state/web/127.0.0.1:80")).isTrue();
            assertThat(keys.test("override/weight/web/127.0.0.1:80")).isTrue();
            assertThat(keys.test("override/state/web/127.0.0.1:81")).isFalse();
            assertThat(keys.test("external/web/127.0.0.1:80/probe")).isFalse();
        });
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
