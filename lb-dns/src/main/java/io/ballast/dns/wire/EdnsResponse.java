package io.ballast.dns.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The OPT record of a response. Its content is set first, so that its size is known before the answer is written; the
 * record itself is written last.
 *
 * <p>Thread safety: confined to one thread and reused. Cost: allocates nothing.
 */
public final class EdnsResponse {

    /** Length of a cookie that the server sends: 8 bytes from the client and 16 bytes from the server. */
    public static final int COOKIE_BYTES = 24;

    /**
     * The length of a padded response is a multiple of this number of bytes (<a
     * href="https://datatracker.ietf.org/doc/html/rfc8467#section-4.1">RFC 8467 section 4.1</a>).
     */
    static final int PADDING_BLOCK = 468;

    /**
     * Maximum length of an error text. A response with such a text, the longest name and the longest NSID fits
     * into 512 bytes.
     */
    public static final int MAX_ERROR_TEXT_BYTES = 48;

    /** Maximum length of a server identifier (NSID). */
    public static final int MAX_NSID_BYTES = 100;

    private static final byte[] NO_TEXT = {};

    private final Edns query;
    private final byte[] cookie = new byte[COOKIE_BYTES];
    private boolean hasCookie;
    private int scope;
    private @Nullable EdnsError error;
    private byte[] errorText = NO_TEXT;
    private byte[] nsid = NO_TEXT;
    private int keepalive;
    private int padLimit;

    EdnsResponse(Edns query) {
        this.query = query;
    }

    void clear() {
        hasCookie = false;
        scope = 0;
        error = null;
        errorText = NO_TEXT;
        nsid = NO_TEXT;
        keepalive = 0;
        padLimit = 0;
    }

    /** Adds a cookie of {@value #COOKIE_BYTES} bytes, which the caller fills in, to the response. */
    public byte[] cookie() {
        hasCookie = true;
        return cookie;
    }

    /** Sets the scope of the answer: the number of leading bits of the client subnet. Does not change the size. */
    public void scope(int bits) {
        scope = bits;
    }

    /** Sets the extended error; must be called before the answer is written. */
    public void error(EdnsError reason) {
        error(reason, NO_TEXT);
    }

    /** Sets the extended error with a text of at most {@value #MAX_ERROR_TEXT_BYTES} bytes in UTF-8. */
    public void error(EdnsError reason, byte[] text) {
        error = reason;
        errorText = text;
    }

    /**
     * Sets the NSID, which is sent if the query requests it; at most {@value #MAX_NSID_BYTES} bytes, empty for
     * none.
     */
    public void nsid(byte[] id) {
        if (query.isNsidRequested()) {
            nsid = id;
        }
    }

    /**
     * Adds the idle timeout of the connection, if the query requests it. Must be called only on stream transports.
     *
     * @param tenths the timeout in tenths of a second, 1 to 65535
     */
    public void keepalive(int tenths) {
        if (query.isKeepaliveRequested()) {
            keepalive = tenths;
        }
    }

    /**
     * Pads the response if the query was padded. Must be called only on encrypted transports.
     *
     * @param limit maximum length of the padded response
     */
    public void pad(int limit) {
        if (query.isPadded()) {
            padLimit = limit;
        }
    }

    /**
     * Returns the size of the record in bytes, without padding, which uses only the remaining space. The size is
     * 0 for a query without EDNS.
     */
    public int bytes() {
        if (!query.isPresent()) {
            return 0;
        }
        return Edns.BARE_OPT_BYTES + optionBytes();
    }

    private int optionBytes() {
        return query.subnet().optionBytes()
                + (hasCookie ? EdnsOption.HEADER_BYTES + COOKIE_BYTES : 0)
                + (nsid.length > 0 ? EdnsOption.HEADER_BYTES + nsid.length : 0)
                + (keepalive > 0 ? EdnsOption.HEADER_BYTES + 2 : 0)
                + (error != null ? EdnsOption.HEADER_BYTES + 2 + errorText.length : 0);
    }

    /**
     * Writes the record: our payload size, the client's DO and CO bits, and the options.
     *
     * @return the end offset of the record
     */
    int write(byte[] out, int at, int rcode) {
        out[at] = 0;
        Wire.putU16(out, at + 1, RecordType.OPT);
        Wire.putU16(out, at + 3, Edns.MAX_PAYLOAD_BYTES);
        out[at + 5] = (byte) (rcode >>> 4);
        out[at + 6] = 0;
        Wire.putU16(out, at + 7, query.flags());
        int options = at + Edns.BARE_OPT_BYTES;
        int end = writeOptions(out, options);
        if (padLimit >= end + EdnsOption.HEADER_BYTES) {
            end = writePadding(out, end);
        }
        Wire.putU16(out, at + 9, end - options);
        return end;
    }

    private int writeOptions(byte[] out, int start) {
        int at = start;
        if (query.subnet().isPresent()) {
            at = query.subnet().write(out, at, scope);
        }
        if (hasCookie) {
            at = write(out, EdnsOption.begin(out, at, EdnsOption.COOKIE, COOKIE_BYTES), cookie);
        }
        if (nsid.length > 0) {
            at = write(out, EdnsOption.begin(out, at, EdnsOption.NSID, nsid.length), nsid);
        }
        if (keepalive > 0) {
            Wire.putU16(out, EdnsOption.begin(out, at, EdnsOption.KEEPALIVE, 2), keepalive);
            at += EdnsOption.HEADER_BYTES + 2;
        }
        if (error != null) {
            int data = EdnsOption.begin(out, at, EdnsOption.ERROR, 2 + errorText.length);
            Wire.putU16(out, data, error.code());
            at = write(out, data + 2, errorText);
        }
        return at;
    }

    private static int write(byte[] out, int at, byte[] bytes) {
        System.arraycopy(bytes, 0, out, at, bytes.length);
        return at + bytes.length;
    }

    private int writePadding(byte[] out, int at) {
        int data = at + EdnsOption.HEADER_BYTES;
        int end = Math.min((data + PADDING_BLOCK - 1) / PADDING_BLOCK * PADDING_BLOCK, padLimit);
        EdnsOption.begin(out, at, EdnsOption.PADDING, end - data);
        Arrays.fill(out, data, end, (byte) 0);
        return end;
    }
}
