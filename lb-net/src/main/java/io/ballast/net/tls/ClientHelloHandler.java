package io.ballast.net.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslClientHelloHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the first message of a client and puts the TLS of an identity that the client can verify in its own place. Refuses
 * clients that would have the handshake signed with SHA-1
 * (<a href="https://datatracker.ietf.org/doc/html/rfc9155">RFC 9155</a>), and recognises HTTP without TLS. Event-loop
 * confined.
 */
final class ClientHelloHandler extends SslClientHelloHandler<TlsContext> {

    /** Far more than any client sends, with keys of several groups and a session. */
    private static final int LONGEST_HELLO = 32 * 1024;

    /** A record with a fatal alert: handshake_failure (RFC 5246 section 7.2). */
    private static final byte[] HANDSHAKE_FAILURE = {21, 3, 3, 0, 2, 2, 40};

    private final Supplier<SniTable> table;
    private final @Nullable PlainHttp plainHttp;
    private final Runnable done;
    private boolean begun;
    /** The client was told why it is not served; what else it sends is dropped. */
    private boolean ended;

    private boolean weak;

    /**
     * @param plainHttp serves clients that send HTTP without TLS; null if their connections just end
     * @param done run once, when it asks for the table no more
     */
    ClientHelloHandler(Supplier<SniTable> table, @Nullable PlainHttp plainHttp, Runnable done) {
        super(LONGEST_HELLO);
        this.table = table;
        this.plainHttp = plainHttp;
        this.done = done;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (!begun && plainHttp != null && isLetter(in.getByte(in.readerIndex()))) {
            ended = !plainHttp.serve(ctx);
            if (!ended) {
                ctx.pipeline().remove(this);
                return;
            }
        }
        begun = true;
        if (ended) {
            in.skipBytes(in.readableBytes());
        } else {
            super.decode(ctx, in, out);
        }
    }

    /** A method of HTTP, or the preface of HTTP/2, begins with a capital letter; no record of TLS does. */
    private static boolean isLetter(byte octet) {
        return octet >= 'A' && octet <= 'Z';
    }

    @Override
    protected Future<TlsContext> lookup(ChannelHandlerContext ctx, @Nullable ByteBuf clientHello) {
        ClientOffer offer = clientHello == null ? null : offer(clientHello);
        AskedHost.keep(ctx.channel(), offer == null ? null : offer.host());
        TlsContext found = table.get().find(offer);
        weak = offer != null && !offer.isLegacy() && !offer.tls13() && !found.isVerifiedBy(offer);
        return ctx.executor().newSucceededFuture(found);
    }

    /** A malformed message is left to the implementation of TLS, which tells the client. */
    private static @Nullable ClientOffer offer(ByteBuf clientHello) {
        try {
            return ClientHelloReader.offer(clientHello);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext ctx, Future<TlsContext> found) {
        if (weak) {
            ended = true;
            ctx.fireUserEventTriggered(new SslHandshakeCompletionEvent(
                    new SSLHandshakeException("the client verifies no signature of this certificate but with SHA-1")));
            ctx.writeAndFlush(ctx.alloc().buffer(HANDSHAKE_FAILURE.length).writeBytes(HANDSHAKE_FAILURE))
                    .addListener(ChannelFutureListener.CLOSE);
            return;
        }
        ctx.pipeline().replace(this, /* newName= */ null, found.getNow().newHandler(ctx.alloc()));
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        super.handlerRemoved0(ctx);
        done.run();
    }
}
