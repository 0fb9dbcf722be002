package io.ballast.filter;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;

/** The body of a request, or its start, without chunked coding and without trailers. Immutable. */
public final class FilterBody {

    /** No body, or a body that the filter does not read. */
    public static final FilterBody EMPTY = new FilterBody(new byte[0], /* complete= */ true);

    private final byte[] bytes;
    private final boolean complete;

    private FilterBody(byte[] bytes, boolean complete) {
        this.bytes = bytes;
        this.complete = complete;
    }

    /** Returns a body with a copy of the bytes, for example in a test of a filter. */
    public static FilterBody of(byte[] bytes, boolean complete) {
        return new FilterBody(bytes.clone(), complete);
    }

    /** The number of bytes that {@link #bytes} returns. */
    public int length() {
        return bytes.length;
    }

    /** Returns a copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** Returns a new stream of the bytes, without a copy. */
    public InputStream stream() {
        return new ByteArrayInputStream(bytes);
    }

    /** Decodes the bytes; malformed input becomes a replacement character. */
    public String text(Charset charset) {
        return new String(bytes, charset);
    }

    /** Whether this is the whole body; false if it is longer than the filter reads. */
    public boolean isComplete() {
        return complete;
    }
}
