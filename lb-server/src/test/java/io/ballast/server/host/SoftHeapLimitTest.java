package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SoftHeapLimitTest {

    private long used;
    private long live;
    private long files;
    private int collections;

    private final SoftHeapLimit limit = new SoftHeapLimit(64, () -> used, () -> files, () -> {
        collections++;
        used = live;
    });

    @Test
    void collectsAboveLimit() {
        look(64);
        assertThat(collections).isZero();

        look(65);
        assertThat(collections).isEqualTo(1);
    }

    @Test
    void collectsAgainAfterLiveDataDoubles() {
        live = 100;
        look(150);
        look(200);
        assertThat(collections).isEqualTo(1);

        look(201);
        assertThat(collections).isEqualTo(2);

        live = 10;
        look(201);
        look(65);
        assertThat(collections).isEqualTo(4);
    }

    @Test
    void ignoresMemoryOfConnections() {
        files = 10;
        look(64 + 10 * SoftHeapLimit.FILE_BYTES);
        assertThat(collections).isZero();

        look(65 + 10 * SoftHeapLimit.FILE_BYTES);
        assertThat(collections).isEqualTo(1);

        files = 0;
        look(65 + 10 * SoftHeapLimit.FILE_BYTES);
        assertThat(collections).isEqualTo(2);
    }

    private void look(long inUse) {
        used = inUse;
        limit.run();
    }
}
