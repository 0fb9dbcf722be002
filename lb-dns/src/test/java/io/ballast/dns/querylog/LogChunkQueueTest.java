package io.ballast.dns.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogChunkQueueTest {

    private final LogChunkQueue pieces = new LogChunkQueue();

    @Test
    void chunkContainsLinesSincePreviousChunk() {
        pieces.next().append("one\n");
        pieces.next().append("two\n");
        assertThat(pieces.take()).isNull();
        assertThat(pieces.handOver()).isTrue();
        assertThat(pieces.handOver()).isTrue();

        LogChunkQueue.Piece piece = pieces.take();
        assertThat(new String(piece.bytes(), StandardCharsets.US_ASCII)).isEqualTo("one\ntwo\n");
        assertThat(piece.entries()).isEqualTo(2);
        assertThat(pieces.take()).isNull();
    }

    @Test
    void pendingChunkGrowsUntilFull() {
        for (int i = 0; i < LogChunkQueue.MAX_PIECES; i++) {
            pieces.next().append("a line\n");
            assertThat(pieces.handOver()).isTrue();
        }
        pieces.next().append("b line\n");
        assertThat(pieces.handOver()).isFalse();
        pieces.next().append("x".repeat(LogChunkQueue.PIECE_CHARACTERS));
        assertThat(pieces.next()).isNull();

        assertThat(pieces.take()).isNotNull();
        assertThat(pieces.next()).isNotNull();
    }

    @Test
    void undeliveredChunksAreDropped() {
        for (int i = 0; i < LogChunkQueue.MAX_PIECES; i++) {
            pieces.next().append("a line\n");
            pieces.handOver();
        }
        pieces.next().append("b line\n");
        pieces.next().append("c line\n");
        assertThat(pieces.forget()).isEqualTo(2);

        pieces.take();
        pieces.next().append("d line\n");
        assertThat(pieces.forget()).isZero();
        assertThat(pieces.handOver()).isTrue();
    }
}
