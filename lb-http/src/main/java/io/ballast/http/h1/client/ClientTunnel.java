package io.ballast.http.h1.client;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.Tunnel;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.serving.ClientOutput;
import io.ballast.http.serving.RequestState;
import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * The client end of a tunnel over a whole connection. Data that the client sends after the request is
 * buffered until the tunnel begins (RFC 9931). Event-loop confined.
 */
final class ClientTunnel implements TunnelSide {

    private final ClientOutput output;
    private final ReceiveBuffer receiveBuffer;
    private final RequestState requestState;
    private @Nullable Tunnel tunnel;
    private boolean ended;

    ClientTunnel(ClientOutput output, ReceiveBuffer receiveBuffer, RequestState served) {
        this.output = output;
        this.receiveBuffer = receiveBuffer;
        this.requestState = served;
    }

    @Override
    public void tunnelBegins(Tunnel started) {
        tunnel = started;
        output.allowHalfClosure();
        output.flush();
        output.setReading(true);
        if (!receiveBuffer.isEmpty()) {
            received(receiveBuffer.removeFirst(receiveBuffer.readableBytes()));
        }
    }

    /** Forwards data from the client to the backend; consumes {@code data}. */
    void received(ByteBuf data) {
        requestState.tunnelReceived(data.readableBytes());
        requireNonNull(tunnel).received(this, data);
    }

    void readComplete() {
        requireNonNull(tunnel).readComplete(this);
    }

    void writable() {
        if (tunnel != null && output.isWritable()) {
            tunnel.writable(this);
        }
    }

    /** Handles a channel event, such as the end of the client's output. */
    void event(Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            ended = true;
            requireNonNull(tunnel).ended(this);
        }
    }

    /** Whether the client has ended its output. */
    boolean hasEnded() {
        return ended;
    }

    @Override
    public void tunnelData(ByteBuf data) {
        output.write(data);
    }

    @Override
    public void tunnelFlush() {
        output.flush();
    }

    @Override
    public void tunnelEnd() {
        output.shutDownWhenFlushed(() -> {});
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public void setReading(boolean on) {
        output.setReading(on);
    }
}
