package io.ballast.dashboard.document;

import com.fasterxml.jackson.core.JsonGenerator;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.server.Document;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One JSON value, written in small steps. Each step reads its values when it runs. */
final class JsonDocument implements Document {

    private final Iterator<Consumer<JsonWriter>> steps;
    private final PieceOutput target = new PieceOutput();
    private final JsonGenerator generator;
    private final JsonWriter json;

    JsonDocument(Stream<Consumer<JsonWriter>> steps) {
        this.steps = steps.iterator();
        try {
            this.generator = JsonWriter.FACTORY.createGenerator((OutputStream) target);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a JSON generator in memory", e);
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
            throw new UncheckedIOException("cannot write to a buffer in memory", e);
        }
    }

    /** Forwards the generator's output to the buffer of the current piece. */
    private static final class PieceOutput extends OutputStream {

        private ByteBuf out = Unpooled.EMPTY_BUFFER;

        @Override
        public void write(int value) {
            out.writeByte(value);
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            out.writeBytes(bytes, from, count);
        }
    }
}
