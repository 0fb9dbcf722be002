package io.ballast.http.h1.wire;

import io.ballast.http.head.HeadFault;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Why we and Netty's decoder judge a message differently, and what gives us the right to. A difference is explained if we
 * rejected the message for one of the faults and the message shows what the pattern looks for, which is written without
 * regard to how our scanners work.
 */
enum Difference {
    /** RFC 9112 sections 3 and 4: a recipient may take other blanks than one space for a separator; we do not. */
    BLANKS_IN_START_LINE(
            "^(\r\n)*([^\n]*?( {2}|[\t\u000b\f]|\r(?!\n))| )",
            HeadFault.MALFORMED_REQUEST_LINE,
            HeadFault.MALFORMED_STATUS_LINE,
            HeadFault.BARE_LINE_END,
            HeadFault.CONTROL_CHARACTER),
    /** RFC 3986 section 2: a target has no control characters and nothing beyond ASCII. */
    OCTETS_IN_TARGET("^(\r\n)*[^ ]+ [^ \r\n]*[^!-~ \r\n]", HeadFault.MALFORMED_REQUEST_LINE),
    /** RFC 9112 section 3.2: origin form, absolute form with a sound authority, or an asterisk for OPTIONS alone. */
    FORM_OF_TARGET(
            "^(\r\n)*(?!OPTIONS \\* )[^ ]+ (?!/[^# ]* |(?i:http)://([a-z0-9._~!$&'()*+;=-]|%[0-9a-f]{2})+(:[0-9]{0,5})?([/?][^# ]*)? )",
            HeadFault.MALFORMED_TARGET),
    /** RFC 9110 section 9.3.6: tunnels are for proxies that clients have chosen. */
    CONNECT("^(\r\n)*CONNECT ", HeadFault.UNSUPPORTED_METHOD),
    /** RFC 9112 section 2.3, RFC 9110 section 15.6.6: in capitals, no other major version, and no minor one we know. */
    VERSION(
            "(^|[ \t])(?!HTTP/1\\.[01][ \r])(?i:http)/",
            HeadFault.UNSUPPORTED_VERSION,
            HeadFault.MALFORMED_REQUEST_LINE,
            HeadFault.MALFORMED_STATUS_LINE),
    /** RFC 9110 section 15: three digits, of which the first is no zero. */
    STATUS("^HTTP/1.[01] (?![1-9][0-9][0-9][ \r])", HeadFault.MALFORMED_STATUS_LINE),
    /** RFC 9112 section 4: a reason phrase is text. */
    CONTROLS_IN_REASON(
            "^HTTP/[^\n]*[\\x00-\\x08\\x0b-\\x1f\\x7f](?!\n)", HeadFault.CONTROL_CHARACTER, HeadFault.BARE_LINE_END),
    /** RFC 9112 section 2.2: only a server skips empty lines, and only before a request. */
    EMPTY_LINE_BEFORE_STATUS("^[\r\n]", HeadFault.MALFORMED_STATUS_LINE),
    /** RFC 9112 section 2.2: the empty line that a server skips ends with CRLF. */
    BARE_LF_BEFORE_REQUEST("^(\r\n)*+\n", HeadFault.MALFORMED_REQUEST_LINE),
    /** RFC 9112 section 3.2: exactly one Host, and a sound one; Netty leaves that to its user. */
    HOST(
            "(?i)(\r\nHost:.*\r\nHost:|\nHost:(?![ \t]*([a-z0-9._~!$&'()*+;=-]|%[0-9a-f]{2})+(:[0-9]{0,5})?[ \t]*\r\n)"
                    + "|^(\r\n)*+(?!([^\r\n][^\n]*\n)+host:))",
            HeadFault.MISSING_HOST, HeadFault.DUPLICATE_HOST, HeadFault.MALFORMED_HOST),
    /** RFC 9112 section 5.2: a server must reject folded lines or unfold them. */
    FOLDED_LINE("\r\n[ \t]", HeadFault.FOLDED_HEADER, HeadFault.MALFORMED_CHUNK),
    /** RFC 9112 section 5.1: refused in requests and in trailers. */
    BLANK_BEFORE_COLON("\r\n[^:\r\n]+[ \t]", HeadFault.MALFORMED_HEADER, HeadFault.MALFORMED_CHUNK),
    /** RFC 9110 section 7.6.1: connection options are tokens. */
    CONNECTION_OPTIONS(
            "(?i)\r\nConnection:(?![ \t,]*([!#$%&'*+.^_`|~0-9a-z-]*[ \t]*,[ \t]*)*[!#$%&'*+.^_`|~0-9a-z-]*[ \t]*\r\n)",
            HeadFault.MALFORMED_HEADER),
    /** RFC 9110 section 8.6: any number of digits is a length, of which we take 18. */
    LONG_LENGTH("(?i)\r\nContent-Length:[ \t]*[0-9]{19,}", HeadFault.MALFORMED_CONTENT_LENGTH),
    /** RFC 9112 section 6.1: what is neither chunked nor known is answered with 501. */
    UNKNOWN_CODING("(?i)\r\nTransfer-Encoding:(?![ \t]*chunked[ \t]*\r\n)", HeadFault.UNKNOWN_TRANSFER_ENCODING),
    /** RFC 9112 section 6.1: chunked comes once and last; we take no empty list elements and no parameters either. */
    LIST_OF_CODINGS(
            "(?is)\r\nTransfer-Encoding:(?![ \t]*chunked[ \t]*\r\n)|\nTransfer-Encoding:.*\nTransfer-Encoding:",
            HeadFault.MALFORMED_TRANSFER_ENCODING),
    /** RFC 9112 sections 6.1 and 6.3: Netty looks for no faults in the framing of a response that never has a body. */
    FRAMING_WITHOUT_BODY(
            "^HTTP/1.[01] (1[0-9][0-9]|204|304)[ \r]",
            HeadFault.LENGTH_AND_TRANSFER_ENCODING,
            HeadFault.TRANSFER_ENCODING_IN_HTTP_1_0),
    /** RFC 9112 section 7.1.1: the grammar of sizes and extensions, without blanks and with nothing left out. */
    SIZE_LINE(
            "\r\n[ \t]*[0-9a-fA-F]+([ \t]|[^\r\n]*(;[ \t]*(;|\r|=)|[ \t]*;[ \t]|[ \t]=|=[ \t]|\"[^\r]*\"[^;\r]|;[ \t]*$|[\"(),/:<>?@\\[\\\\\\]{}]))",
            HeadFault.MALFORMED_CHUNK),
    /** RFC 9110 section 6.5.1: fields that may not come as trailers; Netty drops three of them, we refuse all. */
    TRAILER_NAME("(?i)\n(" + NaiveChunks.FORBIDDEN + "):", HeadFault.FORBIDDEN_TRAILER);

    private final Pattern shows;
    private final Set<HeadFault> faults;

    Difference(String shows, HeadFault first, HeadFault... more) {
        this.shows = Pattern.compile(shows, Pattern.DOTALL);
        this.faults = EnumSet.of(first, more);
    }

    boolean explains(String message, HeadFault fault) {
        return faults.contains(fault) && shows.matcher(message).find();
    }
}
