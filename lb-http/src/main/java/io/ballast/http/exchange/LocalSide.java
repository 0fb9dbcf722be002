package io.ballast.http.exchange;

import io.netty.buffer.ByteBuf;

/**
 * Takes the place of a backend connection in an exchange that a local source answers, and discards the request.
 * Event-loop confined.
 */
final class LocalSide implements BackendSide {

    private final ExchangeSink sink;

    LocalSide(ExchangeSink sink) {
        this.sink = sink;
    }

    @Override
    public boolean isReused() {
        return false;
    }

    /** Returns true, so that no chunked coding is added to the body, which is discarded. */
    @Override
    public boolean framesBodies() {
        return true;
    }

    @Override
    public void sendHead(ByteBuf head, int headBytes, boolean inChunks) {
        head.release();
    }

    @Override
    public void send(ByteBuf data) {
        data.release();
    }

    @Override
    public void endRequest() {}

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public long pendingBytes() {
        return 0;
    }

    @Override
    public void setReading(boolean on) {
        sink.setReading(on);
    }

    @Override
    public void abort() {
        sink.abort();
    }
}
