package io.ballast.http.h2.client;

import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.http.serving.ClientOutput;
import io.netty.buffer.ByteBuf;

/** Writes frames to a client connection. Event-loop confined. */
record ClientFrameOutput(ClientOutput output) implements FrameOutput.ByteSink {

    @Override
    public void write(ByteBuf data) {
        output.write(data);
    }

    @Override
    public void flush() {
        output.flush();
    }

    @Override
    public boolean isWritable() {
        return output.isWritable();
    }

    @Override
    public long pendingBytes() {
        return output.pendingBytes();
    }
}
