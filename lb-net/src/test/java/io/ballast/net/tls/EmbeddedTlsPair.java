package io.ballast.net.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A TLS client and server in one process, without sockets, after the handshake. */
final class EmbeddedTlsPair implements AutoCloseable {

    private final EmbeddedChannel server;
    private final EmbeddedChannel client;
    private boolean brokenOff;

    private EmbeddedTlsPair(EmbeddedChannel server, EmbeddedChannel client) {
        this.server = server;
        this.client = client;
    }

    /** Creates a pair, and performs the handshake until neither side sends further messages. */
    static EmbeddedTlsPair between(ChannelHandler serving, SslHandler pending) {
        EmbeddedChannel server = new EmbeddedChannel();
        server.freezeTime();
        server.pipeline().addLast(serving);
        EmbeddedTlsPair talk = new EmbeddedTlsPair(server, new EmbeddedChannel(pending));
        talk.goOn();
        return talk;
    }

    /** Passes data between both sides until neither side sends further data. */
    void goOn() {
        boolean moved = true;
        while (moved) {
            boolean progressed = pass(client, server);
            boolean answered = pass(server, client);
            moved = progressed || answered;
        }
    }

    /** Like {@link #goOn}, for tests in which one side may abort, which makes the channels throw. */
    void goOnAsFarAsTheyGet() {
        brokenOff = true;
        try {
            goOn();
        } catch (Exception e) {
            server.runPendingTasks(); // the alert for the other side need not be delivered
        }
    }

    private static boolean pass(EmbeddedChannel from, EmbeddedChannel to) {
        from.runPendingTasks();
        ByteBuf bytes = from.readOutbound();
        if (bytes == null) {
            return false;
        }
        to.writeInbound(bytes);
        return true;
    }

    /** Sends data to the client. BoringSSL also sends the tickets of TLS 1.3 then, not at the end of the handshake. */
    void sendToClient(String text) {
        server.writeOutbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        goOn();
    }

    /** Lets time pass for the server. */
    void advance(Duration time) {
        server.advanceTimeBy(time.toNanos(), TimeUnit.NANOSECONDS);
        server.runScheduledPendingTasks();
    }

    /** Whether the server has chosen a certificate. */
    boolean isServerReady() {
        return server.pipeline().get(SslHandler.class) != null;
    }

    SslHandler client() {
        return client.pipeline().get(SslHandler.class);
    }

    SslHandler server() {
        return server.pipeline().get(SslHandler.class);
    }

    @Override
    public void close() {
        end(client);
        end(server);
    }

    private void end(EmbeddedChannel channel) {
        try {
            channel.finishAndReleaseAll();
        } catch (Exception e) {
            if (!brokenOff) {
                throw e;
            }
        }
    }
}
