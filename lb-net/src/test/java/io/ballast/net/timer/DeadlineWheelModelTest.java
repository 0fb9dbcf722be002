package io.ballast.net.timer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Applies random operations to the wheel and to a priority queue, the reference implementation, and compares the
 * results.
 */
class DeadlineWheelModelTest {

    private static final long TICK = DeadlineWheel.TICK_MILLIS * 1_000_000L;
    private static final int DEADLINES = 60;
    private static final int STEPS = 20_000;

    private final PriorityQueue<Modelled> model = new PriorityQueue<>(Comparator.comparingLong(each -> each.due));
    private final Set<Modelled> fired = new HashSet<>();
    private final List<Modelled> all = new ArrayList<>();
    private long now = 5_000 * TICK + 12_345;
    private final DeadlineWheel wheel = new DeadlineWheel(now);
    private Random random;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void firesLikeReferenceQueueWithinTwoTicks(long seed) {
        random = new Random(seed);
        for (int i = 0; i < DEADLINES; i++) {
            all.add(new Modelled());
        }

        for (int step = 0; step < STEPS; step++) {
            change(all.get(random.nextInt(DEADLINES)));
            if (random.nextInt(4) == 0) {
                // The wheel usually advances about once per tick. Sometimes the interval is longer than one revolution
                // of the wheel, which simulates a delay of the event loop.
                now += random.nextInt(200) == 0 ? random.nextLong(700 * TICK) : random.nextLong(2 * TICK);
                advance();
            }
        }
    }

    private void change(Modelled deadline) {
        switch (random.nextInt(4)) {
            case 0 -> {
                wheel.clear(deadline);
                model.remove(deadline);
            }
            case 1 -> {
                wheel.remove(deadline);
                model.remove(deadline);
            }
            default -> set(deadline, now + random.nextLong(random.nextInt(10) == 0 ? 1_500 * TICK : 20 * TICK));
        }
    }

    private void set(Modelled deadline, long due) {
        model.remove(deadline);
        deadline.due = due;
        model.add(deadline);
        wheel.set(deadline, due);
    }

    private void advance() {
        fired.clear();
        wheel.advance(now);

        Modelled next = model.peek();
        assertThat(next == null || next.due > now - 2 * TICK)
                .as("no deadline is more than two ticks late")
                .isTrue();
    }

    private final class Modelled extends DeadlineWheel.Deadline {

        private long due;

        @Override
        protected void expired(long nowNanos) {
            assertThat(model.remove(this)).as("it was set").isTrue();
            assertThat(due).as("it is not early").isLessThanOrEqualTo(nowNanos);
            assertThat(fired.add(this)).as("it fires once a turn").isTrue();
            // A callback may change other deadlines, for example if several connections end together.
            if (random.nextBoolean()) {
                change(all.get(random.nextInt(DEADLINES)));
            }
        }
    }
}
