package io.ballast.net.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads for which host a client comes, and puts the TLS of that identity in its own place. */
final class SniChoice extends AbstractSniHandler<TlsContext> {

    /** Far more than any client sends, with keys of several groups and a session. */
    private static final int LONGEST_HELLO = 32 * 1024;

    private final Supplier<SniTable> table;
    private final Runnable done;

    /** @param done run once, when it asks for the table no more */
    SniChoice(Supplier<SniTable> table, Runnable done) {
        super(LONGEST_HELLO, /* handshakeTimeoutMillis= */ 0);
        this.table = table;
        this.done = done;
    }

    @Override
    protected Future<TlsContext> lookup(ChannelHandlerContext ctx, @Nullable String host) {
        return ctx.executor().newSucceededFuture(table.get().find(host));
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext ctx, @Nullable String host, Future<TlsContext> found) {
        ctx.pipeline().replace(this, /* newName= */ null, found.getNow().newHandler(ctx.alloc()));
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        super.handlerRemoved0(ctx);
        done.run();
    }
}
