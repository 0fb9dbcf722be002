package io.ballast.http.multiplex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObjectPoolTest {

    private static final int MAX_STREAMS = 128;

    private final ObjectPool<Integer> unused = new ObjectPool<>();

    @Test
    void returnedObjectIsReused() {
        assertThat(unused.acquire()).isNull();

        unused.release(1);

        assertThat(unused.isEmpty()).isFalse();
        assertThat(unused.acquire()).isEqualTo(1);
        assertThat(unused.isEmpty()).isTrue();
    }

    @Test
    void keepsObjectsForBusyClient() {
        IntStream.range(0, MAX_STREAMS).forEach(unused::release);

        int kept = 0;
        while (unused.acquire() != null) {
            kept++;
        }
        assertThat(kept).isEqualTo(ObjectPool.MAX).isLessThan(MAX_STREAMS / 2);
    }

    @Test
    void keepsNoObjectsForIdleClient() {
        unused.release(1);

        unused.clear();

        assertThat(unused.isEmpty()).isTrue();
    }
}
