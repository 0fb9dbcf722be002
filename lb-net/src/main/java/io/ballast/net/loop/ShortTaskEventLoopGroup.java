package io.ballast.net.loop;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import java.util.concurrent.Executor;

/**
 * Netty event loops that poll for new events after {@value #MAX_TASK_MILLIS} ms of tasks; Netty's default is
 * one second. Thread safety: like the superclass.
 */
final class ShortTaskEventLoopGroup extends MultiThreadIoEventLoopGroup {

    private static final int MAX_TASK_MILLIS = 5;

    /** @param name the name of the threads, which are daemons */
    ShortTaskEventLoopGroup(int count, String name, IoHandlerFactory handlers) {
        super(count, new DefaultThreadFactory(name, /* daemon= */ true), handlers);
    }

    @Override
    protected IoEventLoop newChild(Executor executor, IoHandlerFactory handlers, Object... args) {
        return new SingleThreadIoEventLoop(
                this, executor, handlers, Integer.MAX_VALUE, RejectedExecutionHandlers.reject(), MAX_TASK_MILLIS);
    }
}
