package io.ballast.cluster.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;

/**
 * The frames of a connection: a length in 4 bytes, which counts the bytes after it, a kind in 1 byte, and the message.
 * Kinds from {@link #FIRST_USER_KIND} on are for the callers of {@link Mesh#send}.
 */
final class Frames {

    static final int HELLO = 0;
    static final int REFUSAL = 1;
    static final int PING = 2;
    static final int PONG = 3;
    static final int ADDRESSES = 4;
    static final int FIRST_USER_KIND = 16;
    static final int MAX_BYTES = 4 << 20;

    private static final int LENGTH_BYTES = 4;
    private static final String DECODER = "frames";

    private Frames() {}

    /** Adds a decoder that accepts only small frames, for a node that has not sent its {@link Hello} yet. */
    static void addDecoder(ChannelPipeline pipeline) {
        pipeline.addLast(DECODER, decoder(Hello.MAX_BYTES));
    }

    /** Accepts frames of up to {@link #MAX_BYTES} bytes from now on. */
    static void widen(ChannelPipeline pipeline) {
        pipeline.replace(DECODER, DECODER, decoder(MAX_BYTES));
    }

    private static ChannelHandler decoder(int maxBytes) {
        return new LengthFieldBasedFrameDecoder(maxBytes, 0, LENGTH_BYTES, 0, LENGTH_BYTES);
    }

    static ByteBuf frame(Channel channel, int kind, ByteBuf message) {
        int bytes = message.readableBytes();
        ByteBuf frame = channel.alloc().buffer(LENGTH_BYTES + 1 + bytes);
        frame.writeInt(1 + bytes).writeByte(kind).writeBytes(message);
        message.release();
        return frame;
    }

    static ByteBuf frame(Channel channel, int kind, byte[] message) {
        ByteBuf frame = channel.alloc().buffer(LENGTH_BYTES + 1 + message.length);
        return frame.writeInt(1 + message.length).writeByte(kind).writeBytes(message);
    }
}
