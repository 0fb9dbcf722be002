package io.ballast.http.h2.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.net.budget.TransitBudget;
import io.ballast.net.budget.TransitShare;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PendingAcksTest {

    private static final int MORE_THAN_FITS = 1 << 20;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final ChannelFrameOutput bytes = new ChannelFrameOutput();
    private final PendingAcks pending = new PendingAcks(bytes);

    @BeforeEach
    void connect() {
        bytes.setChannel(channel, new TransitShare(new TransitBudget(1 << 28, () -> 0), 1));
    }

    @AfterEach
    void close() {
        bytes.flush();
        channel.finishAndReleaseAll();
    }

    @Test
    void pendingAcknowledgementsAreLimited() {
        queue();

        for (int i = 0; i < PendingAcks.MAX; i++) {
            assertThat(pending.tryIncrement()).isTrue();
        }
        assertThat(pending.tryIncrement()).isFalse();
    }

    @Test
    void sentAcknowledgementsDoNotCount() {
        queue();
        for (int i = 0; i < 10 * PendingAcks.MAX; i++) {
            assertThat(pending.tryIncrement()).isTrue();
            bytes.flush();
            queue();
        }
    }

    @Test
    void readingBackendHasNoLimit() {
        for (int i = 0; i < 2 * PendingAcks.MAX; i++) {
            assertThat(pending.tryIncrement()).isTrue();
        }
    }

    private void queue() {
        bytes.write(Unpooled.wrappedBuffer(new byte[MORE_THAN_FITS]));
        assertThat(bytes.isWritable()).isFalse();
    }
}
