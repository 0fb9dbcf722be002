package io.ballast.dashboard.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ballast.dashboard.server.Document;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One JSON value, written in steps that are each a small part of it. What a step tells about is read at that moment. */
final class JsonDocument implements Document {

    private final Iterator<Consumer<JsonWriter>> steps;
    private final Target target = new Target();
    private final JsonGenerator generator;
    private final JsonWriter json;

    JsonDocument(Stream<Consumer<JsonWriter>> steps) {
        this.steps = steps.iterator();
        try {
            this.generator = JsonWriter.FACTORY.createGenerator((OutputStream) target);
        } catch (IOException e) {
            throw new UncheckedIOException("a generator in memory", e);
        }
        this.json = new JsonWriter(generator);
    }

    @Override
    public boolean writePiece(ByteBuf out) {
        target.out = out;
        while (out.readableBytes() < PIECE_BYTES && steps.hasNext()) {
            steps.next().accept(json);
        }
        if (steps.hasNext()) {
            return true;
        }
        end();
        return false;
    }

    private void end() {
        try {
            generator.close();
        } catch (IOException e) {
            throw new UncheckedIOException("a buffer in memory refused bytes", e);
        }
    }

    /** What the generator writes to: the piece that is being made. */
    private static final class Target extends OutputStream {

        private ByteBuf out = Unpooled.EMPTY_BUFFER;

        @Override
        public void write(int octet) {
            out.writeByte(octet);
        }

        @Override
        public void write(byte[] octets, int from, int count) {
            out.writeBytes(octets, from, count);
        }
    }
}
