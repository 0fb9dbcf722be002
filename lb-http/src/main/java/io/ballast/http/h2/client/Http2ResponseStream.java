package io.ballast.http.h2.client;

import io.ballast.http.h2.flow.SendFlow;
import io.ballast.http.h2.flow.StreamOutput;
import io.ballast.http.head.BodyFraming;
import io.ballast.http.head.FieldOutput;
import io.ballast.http.multiplex.ResponseStream;
import io.netty.buffer.ByteBuf;
import java.util.function.BooleanSupplier;

/** Sends the response of an HTTP/2 stream within the windows of the stream and the connection. Event-loop confined. */
final class Http2ResponseStream implements ResponseStream {

    /** A stream window with fewer bytes than this counts as closed if more data waits. */
    private static final int MIN_WINDOW_BYTES = 1024;

    private final SendFlow flow;
    private final StreamOutput output;
    private BooleanSupplier resumption = this::pump;

    /** The total number of DATA bytes that the client's window has allowed so far, including the initial window. */
    private long allowedBytes;

    private long headBytes;

    Http2ResponseStream(SendFlow flow) {
        this.flow = flow;
        this.output = new StreamOutput(flow, () -> resumption.getAsBoolean());
    }

    /** Sets what resumes the stream after the connection window has grown: false if it must still wait. */
    void resumeBy(BooleanSupplier resume) {
        resumption = resume;
    }

    StreamOutput output() {
        return output;
    }

    /** Records that the client's window allows {@code bytes} more; negative after a SETTINGS frame has reduced it. */
    void allow(int bytes) {
        allowedBytes += bytes;
    }

    @Override
    public void begin(long stream) {
        output.begin((int) stream, flow.initialWindow());
        allowedBytes = flow.initialWindow();
        headBytes = 0;
    }

    @Override
    public FieldOutput fields() {
        return flow.block();
    }

    @Override
    public void head(BodyFraming framing, long length) {
        output.head(flow.block(), framing, length);
        headBytes = output.sentBytes();
    }

    @Override
    public void sendInformational() {
        output.sendInformational(flow.block());
        headBytes = output.sentBytes();
    }

    @Override
    public void add(ByteBuf data) {
        output.add(data);
    }

    @Override
    public void trailers(byte[] lines) {
        output.trailers(lines);
    }

    @Override
    public void end() {
        output.end();
    }

    @Override
    public boolean pump() {
        return output.pump();
    }

    @Override
    public boolean isEndSent() {
        return output.isEndSent();
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public boolean isWaiting() {
        return output.isWaiting();
    }

    @Override
    public boolean isBlockedByOwnWindow() {
        long window = allowedBytes - (output.sentBytes() - headBytes);
        return window < Math.min(MIN_WINDOW_BYTES, output.bufferedBytes());
    }

    @Override
    public int bufferedBytes() {
        return output.bufferedBytes();
    }

    @Override
    public long sentBytes() {
        return output.sentBytes();
    }

    @Override
    public long connectionSentBytes() {
        return flow.sentBytes();
    }

    @Override
    public void stop() {
        output.stop();
    }
}
