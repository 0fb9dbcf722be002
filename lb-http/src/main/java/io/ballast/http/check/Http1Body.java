package io.ballast.http.check;

import io.ballast.http.head.ByteClasses;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the body of an HTTP/1.1 response byte by byte and passes it on without its framing (RFC 9112 section 6).
 * Event-loop confined.
 */
final class Http1Body {

    /** The state of the decoder after it has read a byte of the body. */
    enum Progress {
        MORE,
        WHOLE,
        MALFORMED
    }

    private enum Part {
        PLAIN,
        SIZE,
        EXTENSION,
        CHUNK,
        CHUNK_END
    }

    private static final long UNTIL_CLOSE = Long.MAX_VALUE;
    private static final int MAX_SIZE_DIGITS = 8;

    /**
     * Maximum number of bytes of body and chunk framing together. The framing counts too, because it can be
     * longer than the content.
     */
    private static final int MAX_BYTES = 128 * 1024;

    private final CheckResponseEvaluator evaluator;
    private Part part;
    private long left;
    private int digits;
    private int taken;

    private Http1Body(CheckResponseEvaluator evaluator, Part part, long left) {
        this.evaluator = evaluator;
        this.part = part;
        this.left = left;
    }

    /**
     * Creates the decoder for the body after a head.
     *
     * @param head the head with its status line, without the empty line at its end
     * @return null if the head has an invalid content length
     */
    static @Nullable Http1Body afterHead(String head, int status, CheckResponseEvaluator evaluator) {
        String length = field(head, "content-length");
        String coding = field(head, "transfer-encoding");
        if (status == 204 || status == 304) {
            return new Http1Body(evaluator, Part.PLAIN, 0);
        }
        if (coding != null) {
            return coding.toLowerCase(Locale.ROOT).endsWith("chunked")
                    ? new Http1Body(evaluator, Part.SIZE, 0)
                    : new Http1Body(evaluator, Part.PLAIN, UNTIL_CLOSE);
        }
        if (length == null) {
            return new Http1Body(evaluator, Part.PLAIN, UNTIL_CLOSE);
        }
        return length.matches("[0-9]{1,18}") ? new Http1Body(evaluator, Part.PLAIN, Long.parseLong(length)) : null;
    }

    private static @Nullable String field(String head, String name) {
        String found = null;
        for (String line : head.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).toLowerCase(Locale.ROOT).equals(name)) {
                found = line.substring(colon + 1).strip();
            }
        }
        return found;
    }

    /** Whether the body ends when the connection closes. */
    boolean endsWithConnection() {
        return part == Part.PLAIN && left == UNTIL_CLOSE;
    }

    /** Whether the body is empty. */
    boolean isEmpty() {
        return part == Part.PLAIN && left == 0;
    }

    /** Consumes the next byte. */
    Progress consume(byte b) {
        if (++taken > MAX_BYTES) {
            return Progress.WHOLE;
        }
        return switch (part) {
            case PLAIN -> data(b, Part.PLAIN);
            case CHUNK -> data(b, Part.CHUNK_END);
            case SIZE -> size(b);
            case EXTENSION -> extension(b);
            case CHUNK_END -> chunkEnd(b);
        };
    }

    private Progress data(byte b, Part next) {
        evaluator.add(b);
        if (evaluator.isFull()) {
            return Progress.WHOLE;
        }
        left -= left == UNTIL_CLOSE ? 0 : 1;
        if (left > 0) {
            return Progress.MORE;
        }
        boolean whole = part == Part.PLAIN;
        part = next;
        return whole ? Progress.WHOLE : Progress.MORE;
    }

    private Progress size(byte b) {
        int digit = ByteClasses.hexValue(b);
        if (digit >= 0) {
            left = left * 16 + digit;
            return ++digits > MAX_SIZE_DIGITS ? Progress.MALFORMED : Progress.MORE;
        }
        part = Part.EXTENSION;
        return digits == 0 ? Progress.MALFORMED : extension(b);
    }

    private Progress extension(byte b) {
        if (b != ByteClasses.LF) {
            return Progress.MORE;
        }
        digits = 0;
        part = Part.CHUNK;
        return left == 0 ? Progress.WHOLE : Progress.MORE; // trailers are ignored
    }

    private Progress chunkEnd(byte b) {
        if (b == ByteClasses.CR) {
            return Progress.MORE;
        }
        part = Part.SIZE;
        return b == ByteClasses.LF ? Progress.MORE : Progress.MALFORMED;
    }
}
