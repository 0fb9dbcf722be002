package io.ballast.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkSlotsTest {

    @Test
    void tasksBeyondTheSlotsStartInOrderWhenOthersEnd() {
        WorkSlots slots = new WorkSlots(2);
        List<Integer> started = new ArrayList<>();
        for (int task = 1; task <= 4; task++) {
            int number = task;
            slots.run(() -> started.add(number));
        }
        assertThat(started).containsExactly(1, 2);

        slots.release();
        assertThat(started).containsExactly(1, 2, 3);

        slots.release();
        slots.release();
        slots.release();
        slots.run(() -> started.add(5));
        assertThat(started).containsExactly(1, 2, 3, 4, 5);
    }
}
