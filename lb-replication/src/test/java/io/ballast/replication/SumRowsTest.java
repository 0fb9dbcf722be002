package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.observation.ObservationBoard;
import io.ballast.dashboard.source.BackendSum;
import io.ballast.dashboard.source.NodeSum;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SumRowsTest {

    private static NodeSum node(int backends) {
        return new NodeSum(
                IntStream.range(0, backends)
                        .mapToObj(i ->
                                new BackendSum("pool-" + i % 7, "10.0.0." + i + ":8080", i, 2L * i, 3L * i, 4L * i))
                        .toList(),
                /* dnsQueries= */ 99);
    }

    @Test
    void rowsOfANodeAreBoundedAndReadBack() {
        NodeSum node = node(SumRows.MAX_BACKENDS);
        List<byte[]> rows = SumRows.encode(node);

        assertThat(rows).hasSizeGreaterThan(1).allMatch(row -> row.length <= ObservationBoard.MAX_CONTENT_BYTES);
        assertThat(SumRows.decode(rows)).isEqualTo(node);
    }

    @Test
    void nodeWithoutBackendsHasOneRow() {
        assertThat(SumRows.encode(node(0))).hasSize(1);
        assertThat(SumRows.decode(SumRows.encode(node(0)))).isEqualTo(node(0));
    }

    @Test
    void malformedRowsAreIgnored() {
        byte[] row = SumRows.encode(node(2)).get(0);

        assertThat(SumRows.decode(List.of(Arrays.copyOf(row, row.length - 1))).backends())
                .hasSize(1);
        assertThat(SumRows.decode(List.of(new byte[0], new byte[] {7, 1, 2})).backends())
                .isEmpty();
    }
}
