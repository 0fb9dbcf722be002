package io.ballast.http.h2.backend;

import io.ballast.http.h2.flow.FrameOutput;
import io.ballast.net.budget.OutputWatermarks;
import io.ballast.net.budget.TransitShare;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** Writes frames to a backend connection once it is connected. Event-loop confined. */
final class ChannelFrameOutput implements FrameOutput.ByteSink {

    private @Nullable Channel channel;
    private @Nullable OutputWatermarks marks;

    /** Sets the connected channel. */
    void setChannel(Channel made, TransitShare transit) {
        channel = made;
        marks = new OutputWatermarks(made, transit);
    }

    @Override
    public void write(ByteBuf data) {
        Channel open = channel;
        OutputWatermarks counted = marks;
        if (open == null || counted == null) {
            data.release();
            return;
        }
        counted.beforeWrite(data.readableBytes());
        open.write(data, open.voidPromise());
    }

    @Override
    public void flush() {
        if (channel != null) {
            channel.flush();
        }
    }

    @Override
    public boolean isWritable() {
        return channel != null && channel.isWritable();
    }

    /** Returns the number of bytes queued since the connection was established. */
    long writtenBytes() {
        return marks == null ? 0 : marks.writtenBytes();
    }

    /** Returns the number of bytes written to the socket since the connection was established. */
    long sentBytes() {
        return marks == null ? 0 : marks.writtenBytes() - marks.pendingBytes();
    }

    @Override
    public long pendingBytes() {
        return 0;
    }
}
