package io.ballast.http.exchange;

import io.ballast.http.policy.RequestCopy;
import io.netty.buffer.ByteBuf;

/**
 * A backend connection that also passes each request to a {@link RequestCopy}. Serves one attempt. Event-loop confined.
 */
final class CopiedBackendSide implements BackendSide {

    private final BackendSide connection;
    private final RequestCopy copy;

    CopiedBackendSide(BackendSide connection, RequestCopy copy) {
        this.connection = connection;
        this.copy = copy;
    }

    @Override
    public boolean isReused() {
        return connection.isReused();
    }

    @Override
    public boolean framesBodies() {
        return connection.framesBodies();
    }

    @Override
    public void sendHead(ByteBuf head, int headBytes, boolean inChunks) {
        copy.head(head, headBytes, inChunks);
        connection.sendHead(head, headBytes, inChunks);
    }

    @Override
    public void sendTrailers(byte[] lines) {
        connection.sendTrailers(lines);
    }

    @Override
    public void send(ByteBuf data) {
        copy.body(data);
        connection.send(data);
    }

    @Override
    public void endRequest() {
        connection.endRequest();
        copy.complete();
    }

    @Override
    public boolean isWritable() {
        return connection.isWritable();
    }

    @Override
    public long pendingBytes() {
        return connection.pendingBytes();
    }

    @Override
    public void setReading(boolean on) {
        connection.setReading(on);
    }

    @Override
    public void abort() {
        connection.abort();
    }
}
