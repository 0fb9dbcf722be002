package io.ballast.dns.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cookie option, which a client and a server use to recognize each other (<a
 * href="https://datatracker.ietf.org/doc/html/rfc7873#section-4">RFC 7873 section 4</a>). This class implements the
 * client side, for queries to resolvers.
 *
 * <p>Thread safety: stateless.
 */
public final class CookieOption {

    /** The length of a client cookie. */
    public static final int CLIENT_BYTES = 8;

    private static final int MIN_SERVER_BYTES = 8;
    private static final int MAX_SERVER_BYTES = 32;

    private CookieOption() {}

    /** Returns the length of the option with a given cookie. */
    public static int bytes(byte[] cookie) {
        return EdnsOption.HEADER_BYTES + cookie.length;
    }

    /** Writes the option; returns its end offset. */
    public static int write(byte[] out, int at, byte[] cookie) {
        int data = EdnsOption.begin(out, at, EdnsOption.COOKIE, cookie.length);
        System.arraycopy(cookie, 0, out, data, cookie.length);
        return data + cookie.length;
    }

    /**
     * Reads the cookie of a response: a client cookie followed by a server cookie.
     *
     * @param opt offset of the OPT record, as {@link OptRecord#find} returns it
     * @return the cookie; null if there is none, or if its length is invalid
     */
    public static byte @Nullable [] find(byte[] response, int opt) {
        int end = OptRecord.dataEnd(response, opt);
        int option = OptRecord.dataAt(opt);
        while (option + EdnsOption.HEADER_BYTES <= end) {
            int data = option + EdnsOption.HEADER_BYTES;
            int next = data + Wire.u16(response, option + 2);
            if (next > end) {
                return null;
            }
            if (Wire.u16(response, option) == EdnsOption.COOKIE) {
                int server = next - data - CLIENT_BYTES;
                boolean isValid = server >= MIN_SERVER_BYTES && server <= MAX_SERVER_BYTES;
                return isValid ? Arrays.copyOfRange(response, data, next) : null;
            }
            option = next;
        }
        return null;
    }
}
