package io.ballast.policy.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChunkedCellsTest {

    private static final int WAYS = 16;
    private static final int ENTRY_CELLS = 2;

    @Test
    void tableWithoutKeysHasNoCells() {
        ChunkedCells table = new ChunkedCells(10_000_000, WAYS, ENTRY_CELLS);

        assertThat(usedChunks(table)).isZero();
        assertThat(table.existingChunk(7)).isNull();
    }

    @Test
    void keyAllocatesOneChunk() {
        ChunkedCells table = new ChunkedCells(100_000, WAYS, ENTRY_CELLS);

        long[] cells = table.chunk(7);

        assertThat(table.chunk(7)).isSameAs(cells).isSameAs(table.existingChunk(7));
        assertThat(usedChunks(table)).isOne();
        assertThat(cells).hasSizeLessThanOrEqualTo(64 * WAYS * ENTRY_CELLS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16, 100, 100_000})
    void setsAreInTheirChunkAndHoldAllKeys(int keys) {
        ChunkedCells table = new ChunkedCells(keys, WAYS, ENTRY_CELLS);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            int hash = random.nextInt();
            assertThat(table.firstCell(hash)).isBetween(0, table.chunk(hash).length - WAYS * ENTRY_CELLS);
        }

        long cells = (long) table.chunkCount() * table.chunk(0).length;
        assertThat(cells / ENTRY_CELLS).isGreaterThanOrEqualTo(keys);
    }

    private static long usedChunks(ChunkedCells table) {
        return IntStream.range(0, table.chunkCount())
                .mapToObj(table::chunkAt)
                .filter(Objects::nonNull)
                .count();
    }
}
