package io.ballast.net.loop;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;

/** Delegates to another handler; tests override single methods. */
class DelegatingIoHandler implements IoHandler {

    private final IoHandler real;

    DelegatingIoHandler(IoHandler real) {
        this.real = real;
    }

    @Override
    public void initialize() {
        real.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return real.run(context);
    }

    @Override
    public void prepareToDestroy() {
        real.prepareToDestroy();
    }

    @Override
    public void destroy() {
        real.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return real.register(handle);
    }

    @Override
    public void wakeup() {
        real.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return real.isCompatible(handleType);
    }
}
