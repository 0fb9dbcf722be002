package io.ballast.net.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeadlineWheelTest {

    private static final long TICK = DeadlineWheel.TICK_MILLIS * 1_000_000L;
    private static final long START = 1_000 * TICK;

    private final DeadlineWheel wheel = new DeadlineWheel(START);
    private final List<String> fired = new ArrayList<>();

    @Test
    void deadlineFiresOnce() {
        Recorded deadline = new Recorded("a");
        wheel.set(deadline, START + 5 * TICK + 1);

        wheel.advance(START + 5 * TICK);
        assertThat(fired).isEmpty();

        wheel.advance(START + 7 * TICK);
        wheel.advance(START + 2_000 * TICK);
        assertThat(fired).containsExactly("a");
    }

    @Test
    void movedDeadlineFiresAtNewTimeOnly() {
        Recorded later = new Recorded("later");
        Recorded sooner = new Recorded("sooner");
        wheel.set(later, START + TICK);
        wheel.set(later, START + 10 * TICK);
        wheel.set(sooner, START + 10 * TICK);
        wheel.set(sooner, START + TICK);

        wheel.advance(START + 3 * TICK);
        assertThat(fired).containsExactly("sooner");

        wheel.advance(START + 12 * TICK);
        assertThat(fired).containsExactly("sooner", "later");
    }

    @Test
    void longDeadlineFiresInLaterRound() {
        wheel.set(new Recorded("far"), START + 1_300 * TICK);

        for (int tick = 0; tick < 1_300; tick++) {
            wheel.advance(START + tick * TICK);
        }
        assertThat(fired).isEmpty();

        wheel.advance(START + 1_302 * TICK);
        assertThat(fired).containsExactly("far");
    }

    @Test
    void clearedAndRemovedDeadlinesDoNotFire() {
        Recorded cleared = new Recorded("cleared");
        Recorded removed = new Recorded("removed");
        wheel.set(cleared, START + TICK);
        wheel.set(removed, START + TICK);

        wheel.clear(cleared);
        wheel.remove(removed);
        wheel.advance(START + 5 * TICK);

        assertThat(fired).isEmpty();
    }

    @Test
    void removingNeighbourDoesNotDelayOthers() {
        Recorded first = new Recorded("first");
        Recorded second = new Recorded("second");
        Recorded third = new Recorded("third");
        // The deadline set last fires first.
        wheel.set(third, START + TICK);
        wheel.set(second, START + TICK);
        wheel.set(first, START + TICK);
        first.then = () -> wheel.remove(second);

        wheel.advance(START + 3 * TICK);

        assertThat(fired).containsExactly("first", "third");
    }

    @Test
    void movingNeighbourDoesNotDelayOthers() {
        Recorded first = new Recorded("first");
        Recorded second = new Recorded("second");
        Recorded third = new Recorded("third");
        wheel.set(third, START + TICK);
        wheel.set(second, START + TICK);
        wheel.set(first, START + TICK);
        first.then = () -> {
            wheel.remove(second);
            wheel.set(second, START + 3 * TICK);
        };

        wheel.advance(START + 2 * TICK);
        assertThat(fired).containsExactly("first", "third");

        wheel.advance(START + 6 * TICK);
        assertThat(fired).containsExactly("first", "third", "second");
    }

    @Test
    void throwingDeadlineDoesNotStopWheel() {
        Recorded failing = new Recorded("failing");
        failing.then = () -> {
            throw new IllegalStateException("on purpose");
        };
        wheel.set(new Recorded("other"), START + TICK);
        wheel.set(failing, START + TICK);

        wheel.advance(START + 3 * TICK);

        assertThat(fired).containsExactly("failing", "other");
    }

    @Test
    void rearmedDeadlineFiresAgain() {
        Recorded deadline = new Recorded("again");
        deadline.then = () -> wheel.set(deadline, START + 10 * TICK);
        wheel.set(deadline, START + TICK);

        wheel.advance(START + 3 * TICK);
        assertThat(fired).containsExactly("again");

        deadline.then = () -> {};
        wheel.advance(START + 12 * TICK);
        assertThat(fired).containsExactly("again", "again");
    }

    private final class Recorded extends DeadlineWheel.Deadline {

        private final String name;
        private Runnable then = () -> {};

        private Recorded(String name) {
            this.name = name;
        }

        @Override
        protected void expired(long nowNanos) {
            fired.add(name);
            then.run();
        }
    }
}
