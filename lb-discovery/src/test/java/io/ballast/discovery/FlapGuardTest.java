package io.ballast.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.discovery.source.DiscoveredBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FlapGuardTest {

    private static final Duration HOLD = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.EPOCH;

    private final FlapGuard set = new FlapGuard(HOLD, Optional.empty());

    @Test
    void firstAnswerIsAccepted() {
        assertThat(set.inUse()).isEmpty();

        set.answer(backends(), NOW);

        assertThat(set.inUse()).contains(backends());
    }

    @Test
    void halfOfBackendsMayLeaveImmediately() {
        set.answer(backends(1, 2, 3, 4), NOW);
        set.answer(backends(3, 4), NOW);

        assertThat(set.inUse()).contains(backends(3, 4));
        assertThat(set.doubtedUntil()).isEmpty();
    }

    @Test
    void massRemovalIsAcceptedAfterHoldTime() {
        set.answer(backends(1, 2, 3, 4), NOW);
        set.answer(backends(4), NOW);
        set.settle(NOW.plus(HOLD).minusMillis(1));

        assertThat(set.inUse()).contains(backends(1, 2, 3, 4));
        assertThat(set.doubtedUntil()).contains(NOW.plus(HOLD));

        set.settle(NOW.plus(HOLD));

        assertThat(set.inUse()).contains(backends(4));
        assertThat(set.doubtedUntil()).isEmpty();
    }

    @Test
    void clockSetBackDoesNotExtendHoldTime() {
        set.answer(backends(1, 2, 3, 4), NOW);
        set.answer(backends(4), NOW);
        Instant earlier = NOW.minus(Duration.ofDays(3));
        set.settle(earlier);

        assertThat(set.doubtedUntil()).contains(earlier.plus(HOLD));

        set.settle(earlier.plus(HOLD));

        assertThat(set.inUse()).contains(backends(4));
    }

    @Test
    void newBackendsJoinImmediately() {
        set.answer(backends(1, 2), NOW);
        set.answer(backends(3), NOW);

        assertThat(set.inUse()).contains(backends(1, 2, 3));
    }

    @Test
    void repeatedMassRemovalDoesNotRestartHoldTime() {
        set.answer(backends(1, 2, 3, 4), NOW);
        set.answer(backends(4), NOW);
        set.answer(backends(4, 5), NOW.plusSeconds(29));

        assertThat(set.doubtedUntil()).contains(NOW.plus(HOLD));

        set.answer(backends(4, 5), NOW.plus(HOLD));

        assertThat(set.inUse()).contains(backends(4, 5));
    }

    @Test
    void correctedAnswerHasNoEffect() {
        set.answer(backends(1, 2, 3), NOW);
        set.answer(backends(), NOW);
        set.answer(backends(1, 2, 3), NOW.plusSeconds(1));
        set.settle(NOW.plus(HOLD));

        assertThat(set.inUse()).contains(backends(1, 2, 3));
    }

    @Test
    void restoredBackendsAreProtected() {
        FlapGuard kept = new FlapGuard(HOLD, Optional.of(backends(1, 2)));
        kept.answer(backends(), NOW);

        assertThat(kept.inUse()).contains(backends(1, 2));
    }

    @Test
    void acceptsEverythingWithoutHoldTime() {
        FlapGuard quick = new FlapGuard(Duration.ZERO, Optional.of(backends(1, 2)));
        quick.answer(backends(), NOW);

        assertThat(quick.inUse()).contains(backends());
    }

    private static List<DiscoveredBackend> backends(Integer... numbers) {
        return Stream.of(numbers)
                .map(number -> DiscoveredBackend.at(new HostPort("10.0.0." + number, 80)))
                .toList();
    }
}
