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
 * Wraps Netty's epoll handler so that a channel stays registered while it is interested in no event.
 *
 * <p>Netty (4.2.18 and 4.2.20) removes the descriptor of such a channel from the epoll set, but does not
 * record that. So the next change of interest fails with {@code ENOENT}, and the channel is closed. This
 * only affects channels that allow half-close. Such a channel no longer reads after its peer has finished
 * sending, so the first write that must wait ends the connection. This class registers such a channel
 * edge-triggered for no event instead. See decision 29.
 *
 * <p>Thread safety: the same as that of the wrapped handler. Cost: a virtual call for each change of interest and each
 * iteration of the loop.
 */
final class PersistentEpollIoHandler implements IoHandler {

    private final IoHandler epoll;

    private PersistentEpollIoHandler(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory epoll = EpollIoHandler.newFactory();
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                return new PersistentEpollIoHandler(epoll.newHandler(executor));
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
        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty defines this signature
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
