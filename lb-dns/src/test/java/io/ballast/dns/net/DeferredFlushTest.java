package io.ballast.dns.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class DeferredFlushTest {

    private int flushes;
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
        @Override
        public void flush(ChannelHandlerContext ctx) {
            flushes++;
            ctx.flush();
        }
    });
    private final DeferredFlush late = new DeferredFlush(channel);

    @Test
    void flushesOncePerBatch() {
        late.schedule();
        late.schedule();
        assertThat(flushes).isZero();
        channel.runPendingTasks();
        assertThat(flushes).isEqualTo(1);

        late.schedule();
        channel.runPendingTasks();
        assertThat(flushes).isEqualTo(2);
    }
}
