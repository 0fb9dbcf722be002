package io.ballast.http.h2.backend;

import static java.util.Objects.requireNonNull;

import io.ballast.http.exchange.Tunnel;
import io.ballast.http.exchange.TunnelSide;
import io.ballast.http.h2.flow.StreamOutput;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A backend's end of a tunnel over one stream (RFC 8441): DATA both ways, the end of the stream for the end of a direction.
 * While the client is slow the window of the stream stays as it is, which bounds what comes. Event-loop confined.
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
    public void tunnelBegins(Tunnel begun) {
        tunnel = begun;
    }

    /** Something came from the backend; consumes {@code data}. */
    void received(ByteBuf data) {
        requireNonNull(tunnel).received(this, data);
    }

    /** The backend has ended its direction. */
    void inputEnds() {
        inputEnded = true;
        requireNonNull(tunnel).ended(this);
        endIfOver();
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    /** The backend, which has said all, takes no more either. */
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
        stream.pass(data);
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
            stream.tunnelOver();
        }
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public void reading(boolean on) {
        stream.reading(on);
    }
}
