package io.ballast.policy.compress;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.ContentCoding;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects a coding by {@code Accept-Encoding} (<a
 * href="https://datatracker.ietf.org/doc/html/rfc9110#section-12.5.3">RFC 9110 section 12.5.3</a>). Immutable;
 * allocates nothing for a request.
 */
final class AcceptedCodings {

    /** The bit of a choice that is set if the client does not accept an uncompressed response. */
    private static final long IDENTITY_REFUSED = 1;

    private static final ContentCoding[] CODINGS = ContentCoding.values();
    private static final byte[] ACCEPT_ENCODING = ByteClasses.ascii("accept-encoding");
    private static final byte[] GZIP_ALIAS = ByteClasses.ascii("x-gzip"); // RFC 9110 section 8.4.1.3
    private static final byte[] IDENTITY = ByteClasses.ascii("identity");
    private static final byte[] ANY = {'*'};
    private static final int MISSING = -1;
    private static final int FULL_WEIGHT = 1000;
    private static final int MAX_DECIMALS = 3;

    private final ContentCoding[] offered;
    private final byte[][] names;

    /** @param offered the codings to select from; if several have the same weight, the first one is selected */
    AcceptedCodings(List<ContentCoding> offered) {
        this.offered = offered.toArray(ContentCoding[]::new);
        this.names = new byte[this.offered.length][];
        Arrays.setAll(names, i -> ByteClasses.ascii(this.offered[i].token()));
    }

    /**
     * Returns the choice for a request, for {@link #coding} and {@link #refusesIdentity}; 0 if the request has no
     * {@code Accept-Encoding}. The RFC then lets a server choose any coding, but the client may be unable to decode it.
     */
    long of(RoutedRequest request) {
        if (request.headerLine(ACCEPT_ENCODING, 0) < 0) {
            return 0;
        }
        int identity = weight(request, IDENTITY, IDENTITY);
        int any = weight(request, ANY, ANY);
        int best = Math.max(identity - 1, 0);
        int chosen = 0;
        for (int i = 0; i < offered.length; i++) {
            byte[] alias = offered[i] == ContentCoding.GZIP ? GZIP_ALIAS : names[i];
            int explicit = weight(request, names[i], alias);
            int weight = explicit == MISSING ? any : explicit;
            if (weight > best) {
                best = weight;
                chosen = offered[i].ordinal() + 1;
            }
        }
        boolean isIdentityRefused = identity == 0 || (identity == MISSING && any == 0);
        return (long) chosen << 1 | (isIdentityRefused ? IDENTITY_REFUSED : 0);
    }

    /** The coding to use; null if the client accepts no offered coding, or prefers an uncompressed response. */
    static @Nullable ContentCoding coding(long choice) {
        return choice >> 1 == 0 ? null : CODINGS[(int) (choice >> 1) - 1];
    }

    /** Whether the client does not accept an uncompressed response. */
    static boolean refusesIdentity(long choice) {
        return (choice & IDENTITY_REFUSED) != 0;
    }

    /** The highest weight of a coding in thousandths; {@link #MISSING} if the request does not name it. */
    private static int weight(RoutedRequest request, byte[] name, byte[] alias) {
        byte[] bytes = request.bytes();
        int highest = MISSING;
        for (int line = request.headerLine(ACCEPT_ENCODING, 0);
                line >= 0;
                line = request.headerLine(ACCEPT_ENCODING, line + 1)) {
            int limit = request.headerEnd(line);
            int from = request.headerStart(line);
            while (from < limit) {
                int to = ListedTokens.end(bytes, from, limit);
                int start = ListedTokens.skipBlanks(bytes, from, to);
                int nameTo = ListedTokens.nameEnd(bytes, start, to);
                if (ByteClasses.equalsIgnoreCase(bytes, start, nameTo, name)
                        || ByteClasses.equalsIgnoreCase(bytes, start, nameTo, alias)) {
                    highest = Math.max(highest, weight(bytes, nameTo, to));
                }
                from = to + 1;
            }
        }
        return highest;
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
