package io.ballast.dns.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LogChunkQueueTest {

    private final LogChunkQueue pieces = new LogChunkQueue();

    @Test
    void chunkContainsLinesSincePreviousChunk() {
        pieces.nextLineBuffer().append("one\n");
        pieces.nextLineBuffer().append("two\n");
        assertThat(pieces.poll()).isNull();
        assertThat(pieces.enqueueChunk()).isTrue();
        assertThat(pieces.enqueueChunk()).isTrue();

        LogChunkQueue.Piece piece = pieces.poll();
        assertThat(new String(piece.bytes(), StandardCharsets.US_ASCII)).isEqualTo("one\ntwo\n");
        assertThat(piece.lineCount()).isEqualTo(2);
        assertThat(pieces.poll()).isNull();
    }

    @Test
    void pendingChunkGrowsUntilFull() {
        for (int i = 0; i < LogChunkQueue.MAX_CHUNKS; i++) {
            pieces.nextLineBuffer().append("a line\n");
            assertThat(pieces.enqueueChunk()).isTrue();
        }
        pieces.nextLineBuffer().append("b line\n");
        assertThat(pieces.enqueueChunk()).isFalse();
        pieces.nextLineBuffer().append("x".repeat(LogChunkQueue.CHUNK_CHARACTERS));
        assertThat(pieces.nextLineBuffer()).isNull();

        assertThat(pieces.poll()).isNotNull();
        assertThat(pieces.nextLineBuffer()).isNotNull();
    }

    @Test
    void undeliveredChunksAreDropped() {
        for (int i = 0; i < LogChunkQueue.MAX_CHUNKS; i++) {
            pieces.nextLineBuffer().append("a line\n");
            pieces.enqueueChunk();
        }
        pieces.nextLineBuffer().append("b line\n");
        pieces.nextLineBuffer().append("c line\n");
        assertThat(pieces.discard()).isEqualTo(2);

        pieces.poll();
        pieces.nextLineBuffer().append("d line\n");
        assertThat(pieces.discard()).isZero();
        assertThat(pieces.enqueueChunk()).isTrue();
    }
}
