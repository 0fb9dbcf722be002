package io.ballast.http.h1.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.Tunnel;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.relay.Failure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import org.jspecify.annotations.Nullable;

/** A backend's end of a tunnel, over a connection that serves nothing else any more. Event-loop confined. */
final class BackendTunnel implements TunnelSide {

    private final BackendConnection connection;
    private final Channel channel;
    private @Nullable Tunnel tunnel;
    private boolean inputEnded;
    private boolean outputEnded;
    private boolean outputLost;

    BackendTunnel(BackendConnection connection, Channel channel) {
        this.connection = connection;
        this.channel = channel;
    }

    @Override
    public void tunnelBegins(Tunnel begun) {
        tunnel = begun;
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    }

    /** Something came from the backend; consumes {@code data}. */
    void received(ByteBuf data) {
        requireNonNull(tunnel).received(this, data);
    }

    void pause() {
        requireNonNull(tunnel).pause(this);
    }

    void writable() {
        if (tunnel != null && isWritable()) {
            tunnel.writable(this);
        }
    }

    /**
     * A write has failed, unless we have ended the output. What the backend sent before is still read, up to its end: see
     * {@link #event}.
     */
    void outputLost() {
        outputLost = !outputEnded;
        if (outputLost && inputEnded) {
            refuse();
        }
    }

    /** The backend has said all and takes no more. */
    private void refuse() {
        connection.tunnelOver();
        requireNonNull(tunnel).refused(this);
        connection.close();
    }

    /** The channel told of something, maybe that the backend will send no more. */
    void event(Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && !inputEnded) {
            if (connection.isCut()) {
                connection.fail(Failure.RESPONSE_CUT);
                return;
            }
            inputEnded = true;
            requireNonNull(tunnel).ended(this);
            if (outputLost) {
                refuse();
            } else {
                closeIfOver();
            }
        }
    }

    @Override
    public void tunnelData(ByteBuf data) {
        connection.send(data);
    }

    @Override
    public void tunnelFlush() {
        channel.flush();
    }

    @Override
    public void tunnelEnd() {
        outputEnded = true;
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> {
            if (flushed.isSuccess()) {
                ((DuplexChannel) channel).shutdownOutput();
            }
        });
        closeIfOver();
    }

    private void closeIfOver() {
        if (inputEnded && outputEnded) {
            connection.tunnelOver();
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> connection.close());
        }
    }

    @Override
    public boolean isWritable() {
        return outputLost || channel.isWritable(); // what the client still says is dropped
    }

    @Override
    public void reading(boolean on) {
        connection.reading(on);
    }
}
