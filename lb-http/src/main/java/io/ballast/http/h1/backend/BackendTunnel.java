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

/** The backend end of a tunnel, on a connection that serves only the tunnel. Event-loop confined. */
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
    public void tunnelBegins(Tunnel started) {
        tunnel = started;
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    }

    /** Forwards data from the backend to the client; consumes {@code data}. */
    void received(ByteBuf data) {
        requireNonNull(tunnel).received(this, data);
    }

    void readComplete() {
        requireNonNull(tunnel).readComplete(this);
    }

    void writable() {
        if (tunnel != null && isWritable()) {
            tunnel.writable(this);
        }
    }

    /**
     * Handles an output shutdown. It means that a write has failed, unless this object has ended the output. Data that
     * the backend sent earlier is still read completely: see {@link #event}.
     */
    void outputLost() {
        outputLost = !outputEnded;
        if (outputLost && inputEnded) {
            refuse();
        }
    }

    /** Ends the tunnel because the backend has ended its output and accepts no more data. */
    private void refuse() {
        connection.tunnelEnded();
        requireNonNull(tunnel).refused(this);
        connection.close();
    }

    /** Handles a channel event, such as the end of the backend's output. */
    void event(Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && !inputEnded) {
            if (connection.isBroken()) {
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
            connection.tunnelEnded();
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> connection.close());
        }
    }

    @Override
    public boolean isWritable() {
        return outputLost || channel.isWritable(); // after a failed write, data is accepted and dropped
    }

    @Override
    public void setReading(boolean on) {
        connection.setReading(on);
    }
}
