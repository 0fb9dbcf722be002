package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CyclePositionTest {

    private final CyclePosition position = new CyclePosition();

    @Test
    void positionsAdvanceAroundCycle() {
        assertThat(new int[] {position.next(3), position.next(3), position.next(3), position.next(3)})
                .containsExactly(0, 1, 2, 0);
    }

    @Test
    void positionsStayValidBeyondSignBit() {
        position.moveTo(Integer.MAX_VALUE); // 2^31 - 1, which is 1 modulo 3

        assertThat(new int[] {position.next(3), position.next(3), position.next(3)})
                .containsExactly(1, 2, 0);
    }

    @Test
    void counterWraps() {
        position.moveTo(-1);

        assertThat(new int[] {position.next(4), position.next(4)}).containsExactly(3, 0);
    }

    @Test
    void moveSetsNextPosition() {
        position.moveTo(5);

        assertThat(position.current()).isEqualTo(5);
        assertThat(position.next()).isEqualTo(5);
        assertThat(position.current()).isEqualTo(6);
    }
}
