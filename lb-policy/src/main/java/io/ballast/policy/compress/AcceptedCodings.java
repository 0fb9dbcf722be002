package io.ballast.policy.compress;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.route.request.RoutedRequest;

/**
 * Reads {@code Accept-Encoding} (<a href="https://datatracker.ietf.org/doc/html/rfc9110#section-12.5.3">RFC 9110 section
 * 12.5.3</a>). Stateless; allocates nothing.
 */
final class AcceptedCodings {

    /** Set if the client accepts gzip, and does not prefer an uncompressed response. */
    static final long GZIP = 1;
    /** Set if the client does not accept an uncompressed response. */
    static final long IDENTITY_REFUSED = 2;

    private static final byte[] ACCEPT_ENCODING = ByteClasses.ascii("accept-encoding");
    private static final byte[] GZIP_NAME = ByteClasses.ascii("gzip");
    private static final byte[] GZIP_ALIAS = ByteClasses.ascii("x-gzip"); // RFC 9110 section 8.4.1.3
    private static final byte[] IDENTITY = ByteClasses.ascii("identity");
    private static final byte[] ANY = {'*'};
    private static final int MISSING = -1;
    private static final int FULL_WEIGHT = 1000;
    private static final int MAX_DECIMALS = 3;

    private AcceptedCodings() {}

    /**
     * Returns the flags of a request; 0 if it has no such header. The RFC lets a server choose any coding then, but a
     * client that says nothing may be unable to decode.
     */
    static long of(RoutedRequest request) {
        byte[] bytes = request.bytes();
        int gzip = MISSING;
        int identity = MISSING;
        int any = MISSING;
        for (int line = request.headerLine(ACCEPT_ENCODING, 0);
                line >= 0;
                line = request.headerLine(ACCEPT_ENCODING, line + 1)) {
            int limit = request.headerEnd(line);
            int from = request.headerStart(line);
            while (from < limit) {
                int to = ListedTokens.end(bytes, from, limit);
                int start = ListedTokens.skipBlanks(bytes, from, to);
                int nameTo = ListedTokens.nameEnd(bytes, start, to);
                int weight = weight(bytes, nameTo, to);
                if (ByteClasses.equalsIgnoreCase(bytes, start, nameTo, GZIP_NAME)
                        || ByteClasses.equalsIgnoreCase(bytes, start, nameTo, GZIP_ALIAS)) {
                    gzip = Math.max(gzip, weight);
                } else if (ByteClasses.equalsIgnoreCase(bytes, start, nameTo, IDENTITY)) {
                    identity = weight;
                } else if (ByteClasses.equalsIgnoreCase(bytes, start, nameTo, ANY)) {
                    any = weight;
                }
                from = to + 1;
            }
        }
        int wanted = gzip == MISSING ? any : gzip;
        boolean isIdentityRefused = identity == 0 || (identity == MISSING && any == 0);
        return (wanted > 0 && wanted >= identity ? GZIP : 0) | (isIdentityRefused ? IDENTITY_REFUSED : 0);
    }

    /**
     * Reads the weight after the name of a coding (RFC 9110 section 12.4.2).
     *
     * @return thousandths: 1000 if there is no weight, 0 if it is malformed
     */
    private static int weight(byte[] bytes, int from, int to) {
        int at = ListedTokens.skipBlanks(bytes, from, to);
        if (at == to) {
            return FULL_WEIGHT;
        }
        if (bytes[at] != ';') {
            return 0;
        }
        at = ListedTokens.skipBlanks(bytes, at + 1, to);
        boolean isWeight = at + 2 < to && ByteClasses.lower(bytes[at]) == 'q' && bytes[at + 1] == '=';
        return isWeight ? thousandths(bytes, at + 2, to) : 0;
    }

    private static int thousandths(byte[] bytes, int from, int to) {
        int whole = bytes[from] - '0';
        int at = from + 1;
        int fraction = 0;
        if (at < to && bytes[at] == '.') {
            at++;
            for (int i = 0; i < MAX_DECIMALS; i++) {
                boolean isDigit = at < to && bytes[at] >= '0' && bytes[at] <= '9';
                fraction = 10 * fraction + (isDigit ? bytes[at++] - '0' : 0);
            }
        }
        int weight = whole * FULL_WEIGHT + fraction;
        boolean isValid = whole >= 0 && weight <= FULL_WEIGHT && ListedTokens.skipBlanks(bytes, at, to) == to;
        return isValid ? weight : 0;
    }
}
