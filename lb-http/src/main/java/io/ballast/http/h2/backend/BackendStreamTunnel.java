package io.ballast.http.h2.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.Tunnel;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.h2.flow.StreamOutput;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The backend side of a tunnel over one stream (RFC 8441). DATA frames carry both directions, and END_STREAM ends a
 * direction. While the client is slow, no credit is added to the stream window, so that the backend must stop sending.
 * Event-loop confined.
 */
final class BackendStreamTunnel implements TunnelSide {

    private final BackendStream stream;
    private final StreamOutput output;
    private @Nullable Tunnel tunnel;
    private boolean inputEnded;
    private boolean outputEnded;

    BackendStreamTunnel(BackendStream stream, StreamOutput output) {
        this.stream = stream;
        this.output = output;
    }

    @Override
    public void tunnelBegins(Tunnel started) {
        tunnel = started;
    }

    /** Forwards data from the backend; takes ownership. */
    void received(ByteBuf data) {
        requireNonNull(tunnel).received(this, data);
    }

    /** Called when the backend has ended its direction of the tunnel. */
    void handleInputEnd() {
        inputEnded = true;
        requireNonNull(tunnel).ended(this);
        endIfOver();
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    /** Called when the backend has ended its side of the tunnel and accepts no more data from the client. */
    void refused() {
        requireNonNull(tunnel).refused(this);
    }

    void writable() {
        if (tunnel != null && isWritable()) {
            tunnel.writable(this);
        }
    }

    @Override
    public void tunnelData(ByteBuf data) {
        stream.sendTunnelData(data);
    }

    @Override
    public void tunnelFlush() {
        stream.flush();
    }

    @Override
    public void tunnelEnd() {
        outputEnded = true;
        output.end();
        stream.flush();
        endIfOver();
    }

    private void endIfOver() {
        if (inputEnded && outputEnded) {
            stream.tunnelEnded();
        }
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public void setReading(boolean on) {
        stream.setReading(on);
    }
}
