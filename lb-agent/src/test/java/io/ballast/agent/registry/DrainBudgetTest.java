package io.ballast.agent.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.registry.DrainBudget.Candidate;
import io.ballast.core.config.HostPort;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrainBudgetTest {

    @Test
    void grantsTheFirstRequestsUpToTheMaximum() {
        assertThat(DrainBudget.grant(List.of(each(1, 3, 30), each(2, 2, 10), each(3, 1, 20), each(4, 10, 0)), 50))
                .containsOnlyKeys(key(2), key(3))
                .containsEntry(key(2), 2)
                .containsEntry(key(3), 1);
    }

    @Test
    void oneOfSeveralIsAlwaysPermitted() {
        assertThat(DrainBudget.grant(List.of(each(1, 1, 1), each(2, 10, 0)), 1)).containsOnlyKeys(key(1));
    }

    @Test
    void noneIsReducedIfAllAreOverloaded() {
        assertThat(DrainBudget.grant(List.of(each(1, 1, 1), each(2, 5, 2)), 100))
                .isEmpty();
        assertThat(DrainBudget.grant(List.of(each(1, 1, 1)), 100)).isEmpty();
    }

    @Test
    void zeroPermitsNone() {
        assertThat(DrainBudget.grant(List.of(each(1, 1, 1), each(2, 10, 0)), 0)).isEmpty();
    }

    private static Candidate each(int number, int tenths, long since) {
        return new Candidate(key(number), tenths, since);
    }

    private static BackendKey key(int number) {
        return new BackendKey("web", new HostPort("10.0.0." + number, 80));
    }
}
