package io.ballast.net.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.core.watchdog.ThreadFailure;
import io.ballast.core.watchdog.Watchdog;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopHeartbeatTest {

    private final AtomicBoolean outOfMemory = new AtomicBoolean();
    private final CompletableFuture<ThreadFailure> failure = new CompletableFuture<>();
    private final Watchdog watchdog = new Watchdog(failure::complete);
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, failing());
    private final EventLoop loop = group.next();

    /** Returns an I/O handler that fails like io_uring when there is no memory for the next read. */
    private IoHandlerFactory failing() {
        IoHandlerFactory nio = NioIoHandler.newFactory();
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                return new DelegatingIoHandler(nio.newHandler(executor)) {
                    @Override
                    public int run(IoHandlerContext context) {
                        if (outOfMemory.get()) {
                            throw new OutOfMemoryError("Cannot reserve direct buffer memory");
                        }
                        return super.run(context);
                    }
                };
            }
        };
    }

    @AfterEach
    void stop() {
        watchdog.close();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void detectsLoopEndedByError() throws Exception {
        watchdog.watch(List.of(LoopHeartbeat.schedule(loop, "worker-0", LoopHeartbeat.TIMEOUT)));
        watchdog.start();

        loop.execute(() -> outOfMemory.set(true)); // set by a task, so that the loop ends only after it took the task

        assertThat(failure.get(30, TimeUnit.SECONDS).text())
                .isEqualTo("thread worker-0 ended by java.lang.OutOfMemoryError: Cannot reserve direct buffer memory");
    }

    @Test
    void detectsHangingLoop() throws Exception {
        CompletableFuture<Void> released = new CompletableFuture<>();
        watchdog.watch(List.of(LoopHeartbeat.schedule(loop, "worker-0", Duration.ofSeconds(2))));
        loop.submit(() -> {}).sync();
        loop.execute(released::join);
        watchdog.start();
        try {
            assertThat(failure.get(30, TimeUnit.SECONDS).text()).startsWith("thread worker-0 made no progress for ");
        } finally {
            released.complete(null);
        }
    }

    @Test
    void detectsBusyLoop() throws Exception {
        AtomicBoolean released = new AtomicBoolean();
        watchdog.watch(List.of(LoopHeartbeat.schedule(loop, "worker-0", Duration.ofSeconds(1))));
        loop.submit(() -> {}).sync();
        loop.execute(() -> {
            while (!released.get()) {
                Thread.onSpinWait();
            }
        });
        watchdog.start();
        try {
            // Waits long enough for the loop to use one second of CPU time.
            assertThat(failure.get(2, TimeUnit.MINUTES).text()).startsWith("thread worker-0 made no progress for ");
        } finally {
            released.set(true);
        }
    }

    @Test
    void stoppedHeartbeatReportsNoFailure() throws Exception {
        Heartbeat heart = LoopHeartbeat.schedule(loop, "worker-0", LoopHeartbeat.TIMEOUT);
        Heartbeat next = new Heartbeat("worker-1", LoopHeartbeat.TIMEOUT);
        watchdog.watch(List.of(heart, next));

        heart.stop();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        next.markEnded(null);
        watchdog.start();

        assertThat(failure.get(30, TimeUnit.SECONDS).thread()).isEqualTo("worker-1");
    }
}
