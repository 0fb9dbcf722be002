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
        assertThat(set.backendsInUse()).isEmpty();

        set.processAnswer(backends(), NOW);

        assertThat(set.backendsInUse()).contains(backends());
    }

    @Test
    void halfOfBackendsMayLeaveImmediately() {
        set.processAnswer(backends(1, 2, 3, 4), NOW);
        set.processAnswer(backends(3, 4), NOW);

        assertThat(set.backendsInUse()).contains(backends(3, 4));
        assertThat(set.pendingUntil()).isEmpty();
    }

    @Test
    void massRemovalIsAcceptedAfterHoldTime() {
        set.processAnswer(backends(1, 2, 3, 4), NOW);
        set.processAnswer(backends(4), NOW);
        set.acceptAfterHold(NOW.plus(HOLD).minusMillis(1));

        assertThat(set.backendsInUse()).contains(backends(1, 2, 3, 4));
        assertThat(set.pendingUntil()).contains(NOW.plus(HOLD));

        set.acceptAfterHold(NOW.plus(HOLD));

        assertThat(set.backendsInUse()).contains(backends(4));
        assertThat(set.pendingUntil()).isEmpty();
    }

    @Test
    void clockSetBackDoesNotExtendHoldTime() {
        set.processAnswer(backends(1, 2, 3, 4), NOW);
        set.processAnswer(backends(4), NOW);
        Instant earlier = NOW.minus(Duration.ofDays(3));
        set.acceptAfterHold(earlier);

        assertThat(set.pendingUntil()).contains(earlier.plus(HOLD));

        set.acceptAfterHold(earlier.plus(HOLD));

        assertThat(set.backendsInUse()).contains(backends(4));
    }

    @Test
    void newBackendsJoinImmediately() {
        set.processAnswer(backends(1, 2), NOW);
        set.processAnswer(backends(3), NOW);

        assertThat(set.backendsInUse()).contains(backends(1, 2, 3));
    }

    @Test
    void repeatedMassRemovalDoesNotRestartHoldTime() {
        set.processAnswer(backends(1, 2, 3, 4), NOW);
        set.processAnswer(backends(4), NOW);
        set.processAnswer(backends(4, 5), NOW.plusSeconds(29));

        assertThat(set.pendingUntil()).contains(NOW.plus(HOLD));

        set.processAnswer(backends(4, 5), NOW.plus(HOLD));

        assertThat(set.backendsInUse()).contains(backends(4, 5));
    }

    @Test
    void correctedAnswerHasNoEffect() {
        set.processAnswer(backends(1, 2, 3), NOW);
        set.processAnswer(backends(), NOW);
        set.processAnswer(backends(1, 2, 3), NOW.plusSeconds(1));
        set.acceptAfterHold(NOW.plus(HOLD));

        assertThat(set.backendsInUse()).contains(backends(1, 2, 3));
    }

    @Test
    void restoredBackendsAreProtected() {
        FlapGuard kept = new FlapGuard(HOLD, Optional.of(backends(1, 2)));
        kept.processAnswer(backends(), NOW);

        assertThat(kept.backendsInUse()).contains(backends(1, 2));
    }

    @Test
    void acceptsEverythingWithoutHoldTime() {
        FlapGuard quick = new FlapGuard(Duration.ZERO, Optional.of(backends(1, 2)));
        quick.processAnswer(backends(), NOW);

        assertThat(quick.backendsInUse()).contains(backends());
    }

    private static List<DiscoveredBackend> backends(Integer... numbers) {
        return Stream.of(numbers)
                .map(number -> DiscoveredBackend.at(new HostPort("10.0.0." + number, 80)))
                .toList();
    }
}
