package io.ballast.dashboard.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FloatRingTest {

    @Test
    void valuesAreReturnedOldestFirst() {
        FloatRing ring = new FloatRing(3);

        assertThat(values(ring)).isEmpty();
        ring.add(1);
        ring.add(2);
        assertThat(values(ring)).containsExactly(1.0, 2.0);
        ring.add(3);
        ring.add(4);
        assertThat(values(ring)).containsExactly(2.0, 3.0, 4.0);
    }

    private static List<Double> values(FloatRing ring) {
        List<Double> values = new ArrayList<>();
        ring.forEach(values::add);
        return values;
    }
}
