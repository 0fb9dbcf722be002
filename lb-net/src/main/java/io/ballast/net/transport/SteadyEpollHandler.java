package io.ballast.net.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Netty's epoll with registrations that stay when a channel is interested in nothing for a while.
 *
 * <p>Netty (4.2.18 and 4.2.20) takes the descriptor of such a channel out of the epoll set, but does not remember that, so
 * the next interest fails with {@code ENOENT} and the channel is closed. It happens only to channels that allow half
 * closure: after the peer's end of sending, reading is off for good, and so is that event; then the first write that must
 * wait ends the connection. Here such a channel waits edge-triggered for nothing instead. See decision 29.
 *
 * <p>Thread safety: that of what it wraps. Cost: a virtual call for each change of interest and each round of the loop.
 */
final class SteadyEpollHandler implements IoHandler {

    private final IoHandler epoll;

    private SteadyEpollHandler(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                return new SteadyEpollHandler(epoll.newHandler(executor));
            }

            @Override
            public boolean isChangingThreadSupported() {
                return epoll.isChangingThreadSupported();
            }
        };
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return epoll.run(context);
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new Registration(epoll.register(handle));
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return epoll.isCompatible(type);
    }

    private record Registration(IoRegistration epoll) implements IoRegistration {

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature
        public <T> T attachment() {
            return epoll.attachment();
        }

        @Override
        public long submit(IoOps interest) {
            return epoll.submit(EpollIoOps.NONE.equals(interest) ? EpollIoOps.EPOLLET : interest);
        }

        @Override
        public boolean isValid() {
            return epoll.isValid();
        }

        @Override
        public boolean cancel() {
            return epoll.cancel();
        }
    }
}
