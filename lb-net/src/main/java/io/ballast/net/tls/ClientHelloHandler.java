package io.ballast.net.tls;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslClientHelloHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a client's first message and replaces itself with the TLS handler of a certificate that the client can verify.
 * Rejects clients that only accept SHA-1 signatures in the handshake (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9155">RFC 9155</a>), and detects HTTP without TLS. Event-loop
 * confined.
 */
final class ClientHelloHandler extends SslClientHelloHandler<@Nullable TlsContext> {

    /**
     * Maximum size of a ClientHello. It is far larger than any real ClientHello, even one with key shares of
     * several groups and a session ticket.
     */
    private static final int LONGEST_HELLO = 32 * 1024;

    /** A record with a fatal alert: handshake_failure (RFC 5246 section 7.2). */
    private static final byte[] HANDSHAKE_FAILURE = {21, 3, 3, 0, 2, 2, 40};

    private final Supplier<SniTable> table;
    private final @Nullable PlainHttpHandler plainHttp;
    private final @Nullable ChallengeCertificates challenges;
    private final @Nullable OnDemandContexts onDemand;
    private final Runnable done;
    private boolean started;
    /** Whether an error was sent to the client; the rest of its data is dropped. */
    private boolean rejected;

    private boolean onlyWeakSignatures;
    /** The offer of a client that waits for the certificate of its host; null for other clients. */
    private @Nullable ClientHelloOffer awaited;

    /** The handler for a certificate authority that verifies the host; null for other clients. */
    private @Nullable SslHandler challenge;

    /**
     * @param plainHttp serves clients that send HTTP without TLS; null to close their connections
     * @param challenges the certificates for certificate authorities that verify names; null for none
     * @param onDemand the certificates of hosts that the table does not cover; null for none
     * @param done run once, when this handler no longer needs the table
     */
    ClientHelloHandler(
            Supplier<SniTable> table,
            @Nullable PlainHttpHandler plainHttp,
            @Nullable ChallengeCertificates challenges,
            @Nullable OnDemandContexts onDemand,
            Runnable done) {
        super(LONGEST_HELLO);
        this.table = table;
        this.plainHttp = plainHttp;
        this.challenges = challenges;
        this.onDemand = onDemand;
        this.done = done;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (!started && plainHttp != null && isLetter(in.getByte(in.readerIndex()))) {
            rejected = !plainHttp.serve(ctx);
            if (!rejected) {
                ctx.pipeline().remove(this);
                return;
            }
        }
        started = true;
        if (rejected) {
            in.skipBytes(in.readableBytes());
        } else {
            super.decode(ctx, in, out);
        }
    }

    /** HTTP methods and the HTTP/2 preface begin with a capital letter; TLS records never do. */
    private static boolean isLetter(byte b) {
        return b >= 'A' && b <= 'Z';
    }

    @Override
    protected Future<@Nullable TlsContext> lookup(ChannelHandlerContext ctx, @Nullable ByteBuf clientHello) {
        ClientHelloOffer offer = clientHello == null ? null : offer(clientHello);
        RequestedHost.store(ctx.channel(), offer == null ? null : offer.host());
        SniTable certificates = table.get();
        if (onDemand != null && mayFindOnDemand(offer, certificates)) {
            awaited = offer;
            return onDemand.find(requireNonNull(requireNonNull(offer).host()), ctx.executor());
        }
        TlsContext found = certificates.find(offer);
        if (offer != null && offer.verifiesName() && challenges != null) {
            challenge = challenges.newHandler(offer.host(), ctx.alloc());
        }
        onlyWeakSignatures = isUnverifiable(found, offer);
        return ctx.executor().newSucceededFuture(found);
    }

    private static boolean mayFindOnDemand(@Nullable ClientHelloOffer offer, SniTable certificates) {
        return offer != null && offer.host() != null && !offer.verifiesName() && !certificates.covers(offer.host());
    }

    /** Whether the client supports no kind of signature that this server can make with the certificate's key. */
    private static boolean isUnverifiable(TlsContext context, @Nullable ClientHelloOffer offer) {
        return offer != null && !offer.isLegacy() && !offer.tls13() && !context.isVerifiedBy(offer);
    }

    /**
     * Parses what the client offers in its ClientHello. Returns null for a malformed message: the TLS
     * implementation reports this error to the client.
     */
    private static @Nullable ClientHelloOffer offer(ByteBuf clientHello) {
        try {
            return ClientHelloReader.offer(clientHello);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext ctx, Future<@Nullable TlsContext> found) {
        if (ctx.isRemoved()) {
            return; // the client has disconnected while it waited
        }
        TlsContext context = found.getNow();
        if (context == null) {
            context = table.get().find(awaited);
        }
        if (awaited != null) {
            onlyWeakSignatures = isUnverifiable(context, awaited);
        }
        if (challenge != null) {
            ctx.pipeline().replace(this, /* newName= */ null, challenge);
            return;
        }
        if (onlyWeakSignatures) {
            rejected = true;
            // Written first, because a handler may close the connection when it gets the event.
            ctx.writeAndFlush(ctx.alloc().buffer(HANDSHAKE_FAILURE.length).writeBytes(HANDSHAKE_FAILURE))
                    .addListener(ChannelFutureListener.CLOSE);
            ctx.fireUserEventTriggered(new SslHandshakeCompletionEvent(
                    new SSLHandshakeException("the client accepts only SHA-1 signatures of this certificate")));
            return;
        }
        ctx.pipeline().replace(this, /* newName= */ null, context.newHandler(ctx.alloc()));
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        super.handlerRemoved0(ctx);
        done.run();
    }
}
