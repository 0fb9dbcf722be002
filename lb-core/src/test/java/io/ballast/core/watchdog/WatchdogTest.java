package io.ballast.core.watchdog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchdogTest {

    private static final int PATIENCE_TURNS = 10;

    private final List<Death> deaths = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final Watchdog watchdog = new Watchdog(deaths::add);
    private final Heartbeat worker = heart("worker-0");
    private final Heartbeat other = heart("worker-1");

    WatchdogTest() {
        watchdog.watch(List.of(worker, other));
        worker.onDeath(() -> closed.add("socket of worker-0"));
        other.onDeath(() -> closed.add("socket of worker-1"));
    }

    private static Heartbeat heart(String name) {
        return new Heartbeat(name, Duration.ofSeconds(PATIENCE_TURNS * (long) Watchdog.TURN_SECONDS));
    }

    @Test
    void threadsThatBeatLive() {
        for (int i = 0; i < 10 * PATIENCE_TURNS; i++) {
            beatBoth();
            watchdog.turn();
        }

        assertThat(deaths).isEmpty();
        assertThat(closed).isEmpty();
    }

    @Test
    void threadThatEndsByAnErrorIsDeadAtOnce() {
        Error cause = new OutOfMemoryError("no direct memory");
        beatBoth();

        worker.ended(cause);
        watchdog.turn();

        assertThat(deaths).containsExactly(new Death("worker-0", "ended by " + cause, cause));
        assertThat(closed).containsExactly("socket of worker-0");
    }

    @Test
    void threadThatDoesNotTurnIsDeadWhenPatienceEndsAndSaysWhereItHangs() {
        beatBoth();
        watchdog.turn();

        for (int i = 0; i < PATIENCE_TURNS - 1; i++) {
            other.beat();
            watchdog.turn();
        }
        assertThat(deaths).isEmpty();
        other.beat();
        watchdog.turn();

        assertThat(deaths).singleElement().satisfies(death -> {
            assertThat(death.text()).isEqualTo("thread worker-0 has not turned for 10 s");
            assertThat(death.cause())
                    .hasMessageContaining(Thread.currentThread().getName());
        });
    }

    @Test
    void onlyTheFirstDeathIsHandedOverButEveryDeadThreadLosesItsSockets() {
        worker.ended(null);
        watchdog.turn();
        other.ended(null);
        watchdog.turn();
        watchdog.turn();

        assertThat(deaths).containsExactly(new Death("worker-0", "ended", null));
        assertThat(closed).containsExactly("socket of worker-0", "socket of worker-1");
    }

    @Test
    void aThreadThatIsSilentForThreeSecondsHasStalledOnceAndMayDoSoAgain() {
        for (int time = 1; time <= 2; time++) {
            beatBoth();
            watchdog.turn();
            for (int i = 0; i < Watchdog.STALL_TURNS - 1; i++) {
                other.beat();
                watchdog.turn();
            }
            assertThat(watchdog.stalls()).isEqualTo(time - 1);
            for (int i = 0; i < 3; i++) {
                other.beat();
                watchdog.turn();
            }
            assertThat(watchdog.stalls()).isEqualTo(time);
        }

        assertThat(deaths).isEmpty();
    }

    @Test
    void aThreadThatWaitsForADiskDoesNotStall() {
        worker.waitsFor("the disk");
        for (int i = 0; i < 2 * Watchdog.STALL_TURNS; i++) {
            other.beat();
            watchdog.turn();
        }

        assertThat(watchdog.stalls()).isZero();
    }

    /** A machine that sleeps, or a clock that is stepped: all are silent, and so was the watchdog. */
    @Test
    void nobodyIsDeadAfterTheWholeMachineSlept() {
        beatBoth();
        watchdog.turn();
        for (int i = 0; i < PATIENCE_TURNS - 2; i++) {
            watchdog.turn();
        }

        // However long it slept, it is one turn for the watchdog, which here comes before all others wake.
        watchdog.turn();
        beatBoth();
        watchdog.turn();

        assertThat(deaths).isEmpty();
    }

    @Test
    void threadThatWasStoppedMayEnd() {
        worker.stop();
        worker.ended(null);
        for (int i = 0; i < 2 * PATIENCE_TURNS; i++) {
            other.beat();
            watchdog.turn();
        }

        assertThat(deaths).isEmpty();
    }

    @Test
    void threadThatWaitsForADiskLives() {
        worker.waitsFor("the disk");
        for (int i = 0; i < 5 * PATIENCE_TURNS; i++) {
            other.beat();
            watchdog.turn();
        }
        assertThat(deaths).isEmpty();

        worker.works();
        other.beat();
        watchdog.turn();

        assertThat(deaths).hasSize(1);
    }

    @Test
    void lookingSurvivesWhatGoesWrongWhileSocketsAreClosed() {
        worker.onDeath(() -> {
            throw new IllegalStateException("closed already");
        });
        worker.ended(null);
        watchdog.turn();

        assertThat(deaths).hasSize(1);
    }

    private void beatBoth() {
        worker.beat();
        other.beat();
    }
}
