package io.ballast.http.net;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.budget.TransitBudget;
import io.ballast.net.budget.TransitShare;
import io.ballast.net.config.TransportKind;
import io.ballast.net.transport.NettyTransport;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import java.time.Duration;
import java.util.SplittableRandom;

/** Creates workers whose event loop never runs: a stress test acts as the thread of the loop. */
public final class StressWorker {

    private StressWorker() {}

    /** Returns a new worker, which only one thread may use at a time. */
    public static Worker create() {
        return new Worker(
                /* index= */ 0,
                new DefaultEventLoop(),
                new Heartbeat("stress", Duration.ofMinutes(1)),
                NettyTransport.choose(TransportKind.NIO),
                UnpooledByteBufAllocator.DEFAULT,
                new TransitShare(new TransitBudget(/* limitBytes= */ 1 << 30, () -> 0), /* loops= */ 1),
                new SplittableRandom(1));
    }
}
