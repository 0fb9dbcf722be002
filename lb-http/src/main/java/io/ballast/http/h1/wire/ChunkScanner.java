package io.ballast.http.h1.wire;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.ForbiddenTrailers;
import io.ballast.http.head.HeadError;
import io.ballast.http.head.TrailerRules;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Follows a chunked body (<a href="https://datatracker.ietf.org/doc/html/rfc9112#section-7.1">RFC 9112
 * section 7.1</a>) through its buffers and finds its end.
 *
 * <p>The scanner is strict: chunk sizes are plain hexadecimal digits, extensions must not contain optional
 * blanks, every line ends with CRLF, and trailers must not contain framing, routing or authentication fields.
 * Valid data is forwarded as received; nothing is buffered. A body that consists mostly of framing is
 * rejected: each chunk may have 16 bytes of overhead plus twice its data, and all chunks together may exceed
 * this by {@value #MAX_OVERHEAD} bytes.
 *
 * <p>Event-loop confined; no cost per byte of data.
 */
final class ChunkScanner {

    /** Receives the data ranges of a buffer, for a peer that does not support chunked coding. */
    interface DataSink {
        void data(int from, int length);

        /** Receives the next byte of the trailers, including the final empty line. */
        default void trailer(byte b) {}
    }

    static final int LONGEST_SIZE_LINE = 4096;
    private static final int FREE_OVERHEAD = 16;
    private static final int MAX_OVERHEAD = 16 * 1024;
    private static final int LONGEST_TRAILERS = 8192;
    /** Limits a chunk to 2^56 - 1 bytes. No body is longer, and adding a digit to the size cannot overflow. */
    private static final int MAX_SIZE_DIGITS = 14;

    private enum State {
        SIZE_START,
        SIZE,
        EXTENSION_START,
        EXTENSION_NAME,
        EXTENSION_VALUE_START,
        EXTENSION_VALUE,
        EXTENSION_QUOTED,
        EXTENSION_ESCAPE,
        EXTENSION_END,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER_START(true),
        TRAILER_NAME(true),
        TRAILER_VALUE(true),
        TRAILER_LF(true),
        LAST_LF(true),
        DONE;

        /** Whether the next byte belongs to the trailers or ends them. */
        private final boolean inTrailers;

        State() {
            this(/* inTrailers= */ false);
        }

        State(boolean inTrailers) {
            this.inTrailers = inTrailers;
        }
    }

    private State state = State.SIZE_START;
    private long remaining;
    private int digits;
    private int lineBytes;
    private long overhead;
    private long dataBytes;
    private int trailerBytes;
    private byte[] trailerName = new byte[32];
    private int trailerNameLength;
    private TrailerRules trailerRules = TrailerRules.NONE;

    private @Nullable HeadError fault;

    void reset() {
        state = State.SIZE_START;
        remaining = 0;
        digits = 0;
        lineBytes = 0;
        overhead = 0;
        dataBytes = 0;
        trailerBytes = 0;
        trailerNameLength = 0;
        trailerRules = TrailerRules.NONE;
        fault = null;
    }

    /** Rejects the trailers of the current body that {@code rules} forbid. */
    void restrictTrailers(TrailerRules rules) {
        trailerRules = rules;
    }

    /** The reason why the body is invalid, or null. */
    @Nullable HeadError fault() {
        return fault;
    }

    boolean isDone() {
        return state == State.DONE;
    }

    /** The number of data bytes of the current body that were scanned so far, without the chunk framing. */
    long dataBytes() {
        return dataBytes;
    }

    /**
     * Scans {@code buffer[from, to)}.
     *
     * @return the offset after the last byte of the body. It is {@code to} unless the body ends or is invalid earlier.
     */
    int scan(ByteBuf buffer, int from, int to, @Nullable DataSink sink) {
        int position = from;
        while (position < to && state != State.DONE && fault == null) {
            if (state == State.DATA) {
                int length = (int) Math.min(remaining, to - position);
                if (sink != null) {
                    sink.data(position, length);
                }
                remaining -= length;
                dataBytes += length;
                position += length;
                if (remaining == 0) {
                    state = State.DATA_CR;
                }
            } else {
                byte b = buffer.getByte(position++);
                if (sink != null && state.inTrailers) {
                    sink.trailer(b);
                }
                step(b);
            }
        }
        return position;
    }

    private void step(byte b) {
        switch (state) {
            case SIZE_START -> firstDigit(b);
            case SIZE -> size(b);
            case EXTENSION_START,
                    EXTENSION_NAME,
                    EXTENSION_VALUE_START,
                    EXTENSION_VALUE,
                    EXTENSION_QUOTED,
                    EXTENSION_ESCAPE,
                    EXTENSION_END -> extension(b);
            case SIZE_LF -> sizeLineEnd(b);
            case DATA_CR -> expect(b, ByteClasses.CR, State.DATA_LF);
            case DATA_LF -> expect(b, ByteClasses.LF, State.SIZE_START);
            case TRAILER_START -> trailerStart(b);
            case TRAILER_NAME -> trailerName(b);
            case TRAILER_VALUE -> trailerValue(b);
            case TRAILER_LF -> expect(b, ByteClasses.LF, State.TRAILER_START);
            case LAST_LF -> expect(b, ByteClasses.LF, State.DONE);
            case DATA, DONE -> throw new AssertionError(state);
        }
    }

    private void expect(byte b, byte wanted, State next) {
        if (b == wanted) {
            state = next;
        } else {
            fault = HeadError.MALFORMED_CHUNK;
        }
    }

    private void firstDigit(byte b) {
        int digit = ByteClasses.hexValue(b);
        if (digit < 0) {
            fault = HeadError.MALFORMED_CHUNK;
            return;
        }
        remaining = digit;
        digits = 1;
        lineBytes = 0;
        state = State.SIZE;
    }

    private void size(byte b) {
        int digit = ByteClasses.hexValue(b);
        if (digit >= 0) {
            remaining = (remaining << 4) + digit;
            if (++digits > MAX_SIZE_DIGITS) {
                fault = HeadError.MALFORMED_CHUNK;
            }
        } else {
            endOfPart(b);
        }
    }

    /** Handles the first byte after a chunk size, an extension name or an extension value. */
    private void endOfPart(byte b) {
        switch (b) {
            case ByteClasses.CR -> state = State.SIZE_LF;
            case ';' -> state = State.EXTENSION_START;
            default -> fault = HeadError.MALFORMED_CHUNK;
        }
    }

    /**
     * Handles a byte of a chunk extension. Names and values are tokens; values may be quoted (RFC 9112 section
     * 7.1.1).
     */
    private void extension(byte b) {
        if (++lineBytes > LONGEST_SIZE_LINE) {
            fault = HeadError.MALFORMED_CHUNK;
            return;
        }
        switch (state) {
            case EXTENSION_START -> expectToken(b, State.EXTENSION_NAME);
            case EXTENSION_NAME -> {
                if (b == '=') {
                    state = State.EXTENSION_VALUE_START;
                } else if (!ByteClasses.isToken(b)) {
                    endOfPart(b);
                }
            }
            case EXTENSION_VALUE_START -> {
                if (b == '"') {
                    state = State.EXTENSION_QUOTED;
                } else {
                    expectToken(b, State.EXTENSION_VALUE);
                }
            }
            case EXTENSION_VALUE -> {
                if (!ByteClasses.isToken(b)) {
                    endOfPart(b);
                }
            }
            case EXTENSION_QUOTED -> quoted(b);
            case EXTENSION_ESCAPE -> {
                state = State.EXTENSION_QUOTED;
                rejectControl(b);
            }
            default -> endOfPart(b);
        }
    }

    private void quoted(byte b) {
        switch (b) {
            case '"' -> state = State.EXTENSION_END;
            case '\\' -> state = State.EXTENSION_ESCAPE;
            default -> rejectControl(b);
        }
    }

    private void expectToken(byte b, State next) {
        state = next;
        if (!ByteClasses.isToken(b)) {
            fault = HeadError.MALFORMED_CHUNK;
        }
    }

    private void rejectControl(byte b) {
        if (isControl(b)) {
            fault = HeadError.MALFORMED_CHUNK;
        }
    }

    /** Ends a size line. Limits the overhead of chunk framing, so that a body with little data cannot be endless. */
    private void sizeLineEnd(byte b) {
        expect(b, ByteClasses.LF, remaining == 0 ? State.TRAILER_START : State.DATA);
        overhead = Math.max(0, overhead + digits + lineBytes - FREE_OVERHEAD - 2 * remaining);
        if (overhead > MAX_OVERHEAD) {
            fault = HeadError.MALFORMED_CHUNK;
        }
    }

    private void trailerStart(byte b) {
        if (b == ByteClasses.CR) {
            state = State.LAST_LF;
        } else if (ByteClasses.isToken(b)) {
            trailerNameLength = 0;
            state = State.TRAILER_NAME;
            trailerName(b);
        } else {
            fault = HeadError.MALFORMED_CHUNK;
        }
    }

    private void trailerName(byte b) {
        countTrailer();
        if (ByteClasses.isToken(b)) {
            if (trailerNameLength == trailerName.length) {
                // the limit on trailers also limits this length
                trailerName = Arrays.copyOf(trailerName, 2 * trailerNameLength);
            }
            // Some backends read an underscore as a hyphen.
            trailerName[trailerNameLength++] = b == '_' ? (byte) '-' : ByteClasses.lower(b);
        } else if (b == ':') {
            state = State.TRAILER_VALUE;
            if (ForbiddenTrailers.contains(trailerName, trailerNameLength)
                    || trailerRules.forbids(trailerName, trailerNameLength)) {
                fault = HeadError.FORBIDDEN_TRAILER;
            }
        } else {
            fault = HeadError.MALFORMED_CHUNK;
        }
    }

    private void trailerValue(byte b) {
        countTrailer();
        if (b == ByteClasses.CR) {
            state = State.TRAILER_LF;
        } else {
            rejectControl(b);
        }
    }

    private void countTrailer() {
        if (++trailerBytes > LONGEST_TRAILERS) {
            fault = HeadError.TRAILERS_TOO_LONG;
        }
    }

    private static boolean isControl(byte b) {
        return (b >= 0 && b < ByteClasses.SPACE && b != ByteClasses.TAB) || b == 0x7f;
    }
}
