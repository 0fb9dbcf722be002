package io.ballast.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FirstResultTest {

    private final List<ProbeResult> results = new ArrayList<>();
    private final FirstResult verdict = new FirstResult(results::add);
    private final CompletableFuture<Void> deadline = new CompletableFuture<>();

    @Test
    void onlyFirstOutcomeCounts() {
        verdict.passed("connected");
        verdict.failed("late");

        assertThat(results).extracting(ProbeResult::text).containsExactly("connected");
    }

    @Test
    void deadlineAppliesUntilOutcome() {
        verdict.deadline(deadline);
        assertThat(deadline).isNotDone();

        verdict.failed("refused");

        assertThat(deadline).isCancelled();
    }

    @Test
    void deadlineCountsAsBackendFailureUntilItResponds() {
        verdict.onDeadline("no answer");
        FirstResult answered = new FirstResult(results::add);
        answered.markLocalWorkPending("not searched");
        answered.onDeadline("no answer");

        assertThat(results).extracting(ProbeResult::isConclusive).containsExactly(true, false);
        assertThat(results).extracting(ProbeResult::ok).containsExactly(false, false);
        assertThat(results).extracting(ProbeResult::text).containsExactly("no answer", "not searched");
    }

    @Test
    void outcomeCancelsDeadline() {
        verdict.passed("connected");

        verdict.deadline(deadline);

        assertThat(deadline).isCancelled();
    }
}
