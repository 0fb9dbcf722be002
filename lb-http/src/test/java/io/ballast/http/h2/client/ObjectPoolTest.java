package io.ballast.http.h2.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObjectPoolTest {

    private final ObjectPool<Integer> unused = new ObjectPool<>();

    @Test
    void returnedObjectIsReused() {
        assertThat(unused.take()).isNull();

        unused.give(1);

        assertThat(unused.isEmpty()).isFalse();
        assertThat(unused.take()).isEqualTo(1);
        assertThat(unused.isEmpty()).isTrue();
    }

    @Test
    void keepsObjectsForBusyClient() {
        IntStream.range(0, Http2Connection.MAX_STREAMS).forEach(unused::give);

        int kept = 0;
        while (unused.take() != null) {
            kept++;
        }
        assertThat(kept).isEqualTo(ObjectPool.MAX).isLessThan(Http2Connection.MAX_STREAMS / 2);
    }

    @Test
    void keepsNoObjectsForIdleClient() {
        unused.give(1);

        unused.forget();

        assertThat(unused.isEmpty()).isTrue();
    }
}
