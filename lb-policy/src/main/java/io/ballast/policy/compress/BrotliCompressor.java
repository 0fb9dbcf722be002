package io.ballast.policy.compress;

import com.aayushatharva.brotli4j.encoder.Encoder;
import com.aayushatharva.brotli4j.encoder.EncoderJNI;
import com.aayushatharva.brotli4j.encoder.EncoderJNI.Operation;
import io.ballast.http.transform.BodyOutput;
import io.ballast.http.transform.BodyTransform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Compresses bodies with Brotli (RFC 7932). Needs up to 1 MiB of memory outside of the heap per body, for the window
 * and the hash table of the library. The library cannot reset an encoder, so each body has its own. Event-loop
 * confined.
 */
final class BrotliCompressor implements Compressor {

    /** A window of 128 KiB, four times that of gzip. */
    private static final int WINDOW_BITS = 17;
    /** The window of qualities above 4, which would otherwise need up to 3 MiB. */
    private static final int SMALL_WINDOW_BITS = 16;

    private static final int MAX_QUALITY_OF_LARGE_WINDOW = 4;

    private final int quality;
    private final int windowBits;
    private EncoderJNI.@Nullable Wrapper encoder;

    BrotliCompressor(int quality) {
        this.quality = quality;
        this.windowBits = quality > MAX_QUALITY_OF_LARGE_WINDOW ? SMALL_WINDOW_BITS : WINDOW_BITS;
    }

    @Override
    public void add(ByteBuffer piece, BodyOutput output) {
        EncoderJNI.Wrapper current = encoder();
        while (piece.hasRemaining()) {
            ByteBuffer input = current.getInputBuffer();
            int length = Math.min(piece.remaining(), input.capacity());
            int limit = piece.limit();
            piece.limit(piece.position() + length);
            input.clear();
            input.put(piece);
            piece.limit(limit);
            push(current, Operation.PROCESS, length, output);
        }
    }

    @Override
    public void flush(BodyOutput output) {
        push(encoder(), Operation.FLUSH, 0, output);
    }

    @Override
    public void end(BodyOutput output) {
        push(encoder(), Operation.FINISH, 0, output);
    }

    /** Runs an operation to its end, and writes its output. */
    private static void push(EncoderJNI.Wrapper current, Operation operation, int inputBytes, BodyOutput output) {
        current.push(operation, inputBytes);
        while (true) {
            if (!current.isSuccess()) {
                throw new IllegalStateException("Brotli failed to compress");
            }
            if (current.hasMoreOutput()) {
                write(current.pull(), output);
            } else if (current.hasRemainingInput()) {
                current.push(operation, 0);
            } else {
                return;
            }
        }
    }

    private static void write(ByteBuffer compressed, BodyOutput output) {
        while (compressed.hasRemaining()) {
            ByteBuffer room = output.room();
            int length = Math.min(compressed.remaining(), room.remaining());
            int limit = compressed.limit();
            compressed.limit(compressed.position() + length);
            room.put(compressed);
            compressed.limit(limit);
            output.written(length);
        }
    }

    private EncoderJNI.Wrapper encoder() {
        EncoderJNI.Wrapper known = encoder;
        if (known == null) {
            try {
                known = new EncoderJNI.Wrapper(
                        BodyTransform.MAX_PIECE_BYTES, quality, windowBits, Encoder.Mode.GENERIC);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot create a Brotli encoder", e);
            }
            encoder = known;
        }
        return known;
    }

    @Override
    public void reset() {
        if (encoder != null) {
            encoder.destroy();
            encoder = null;
        }
    }

    @Override
    public void free() {
        reset();
    }
}
