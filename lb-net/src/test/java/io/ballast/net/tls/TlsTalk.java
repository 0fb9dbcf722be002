package io.ballast.net.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;

/** A client and a server in one process, without sockets, whose handshake is done. */
final class TlsTalk implements AutoCloseable {

    private final EmbeddedChannel server;
    private final EmbeddedChannel client;
    private boolean brokenOff;

    private TlsTalk(EmbeddedChannel server, EmbeddedChannel client) {
        this.server = server;
        this.client = client;
    }

    /** Has both shake hands, as far as they get. */
    static TlsTalk between(ChannelHandler serving, SslHandler asking) {
        TlsTalk talk = new TlsTalk(new EmbeddedChannel(serving), new EmbeddedChannel(asking));
        talk.goOn();
        return talk;
    }

    /** Passes on what either has to say until both are silent. */
    void goOn() {
        boolean moved = true;
        while (moved) {
            boolean asked = pass(client, server);
            boolean answered = pass(server, client);
            moved = asked || answered;
        }
    }

    /** The same where one of them may break the talk off, which the channels throw. */
    void goOnAsFarAsTheyGet() {
        brokenOff = true;
        try {
            goOn();
        } catch (Exception e) {
            server.runPendingTasks(); // what the other is told of it need not be heard
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
