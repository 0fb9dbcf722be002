package io.ballast.policy.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TopKeysTest {

    @Test
    void highestValuesAreKept() {
        TopKeys top = new TopKeys(3);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1000; i++) {
            top.offer(i, random.nextDouble());
        }
        top.offer(2001, 5);
        top.offer(2002, 3);
        top.offer(2003, 4);
        top.offer(2004, 2);

        assertThat(top.keys()).containsExactlyInAnyOrder(2001, 2002, 2003);
    }

    @Test
    void unusedKeysAreOmitted() {
        TopKeys top = new TopKeys(3);
        top.offer(1, 0);
        top.offer(2, -1);
        top.offer(3, 0.1);

        assertThat(top.keys()).containsExactly(3);
    }
}
