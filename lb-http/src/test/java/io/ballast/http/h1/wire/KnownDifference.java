package io.ballast.http.h1.wire;

import io.ballast.http.head.HeadError;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Known differences between our parser and Netty's decoder, with the rule that allows them. A difference is explained
 * if we rejected the message with one of the faults and the pattern matches it. The patterns are independent of our
 * scanners.
 */
enum KnownDifference {
    /** RFC 9112 sections 3 and 4: a recipient may accept other white space than a single space; we do not. */
    BLANKS_IN_START_LINE(
            "^(\r\n)*([^\n]*?( {2}|[\t\u000b\f]|\r(?!\n))| )",
            HeadError.MALFORMED_REQUEST_LINE,
            HeadError.MALFORMED_STATUS_LINE,
            HeadError.BARE_LINE_END,
            HeadError.CONTROL_CHARACTER),
    /** RFC 3986 section 2: a target contains only ASCII and no control characters. */
    TARGET_BYTES("^(\r\n)*[^ ]+ [^ \r\n]*[^!-~ \r\n]", HeadError.MALFORMED_REQUEST_LINE),
    /**
     * RFC 9112 section 3.2: a target has origin form or absolute form with a valid authority, or is an asterisk for
     * OPTIONS.
     */
    FORM_OF_TARGET(
            "^(\r\n)*(?!OPTIONS \\* )[^ ]+ (?!/[^# ]* |(?i:http)://([a-z0-9._~!$&'()*+;=-]|%[0-9a-f]{2})+(:[0-9]{0,5})?([/?][^# ]*)? )",
            HeadError.MALFORMED_TARGET),
    /** RFC 9110 section 9.3.6: CONNECT is for forward proxies, so we reject it. */
    CONNECT("^(\r\n)*CONNECT ", HeadError.UNSUPPORTED_METHOD),
    /**
     * RFC 9112 section 2.3, RFC 9110 section 15.6.6: the protocol name is in upper case, and we accept only known
     * versions.
     */
    VERSION(
            "(^|[ \t])(?!HTTP/1\\.[01][ \r])(?i:http)/",
            HeadError.UNSUPPORTED_VERSION,
            HeadError.MALFORMED_REQUEST_LINE,
            HeadError.MALFORMED_STATUS_LINE),
    /** RFC 9110 section 15: a status has three digits, and the first digit is not zero. */
    STATUS("^HTTP/1.[01] (?![1-9][0-9][0-9][ \r])", HeadError.MALFORMED_STATUS_LINE),
    /** RFC 9112 section 4: a reason phrase has no control characters. */
    CONTROLS_IN_REASON(
            "^HTTP/[^\n]*[\\x00-\\x08\\x0b-\\x1f\\x7f](?!\n)", HeadError.CONTROL_CHARACTER, HeadError.BARE_LINE_END),
    /** RFC 9112 section 2.2: empty lines are only skipped before a request. */
    EMPTY_LINE_BEFORE_STATUS("^[\r\n]", HeadError.MALFORMED_STATUS_LINE),
    /** RFC 9112 section 2.2: a skipped empty line ends with CRLF. */
    BARE_LF_BEFORE_REQUEST("^(\r\n)*+\n", HeadError.MALFORMED_REQUEST_LINE),
    /** RFC 9112 section 3.2: a request has exactly one valid Host; Netty does not check this. */
    HOST(
            "(?i)(\r\nHost:.*\r\nHost:|\nHost:(?![ \t]*([a-z0-9._~!$&'()*+;=-]|%[0-9a-f]{2})+(:[0-9]{0,5})?[ \t]*\r\n)"
                    + "|^(\r\n)*+(?!([^\r\n][^\n]*\n)+host:))",
            HeadError.MISSING_HOST, HeadError.DUPLICATE_HOST, HeadError.MALFORMED_HOST),
    /** RFC 9112 section 5.2: a server must reject folded lines or unfold them. */
    FOLDED_LINE("\r\n[ \t]", HeadError.FOLDED_HEADER, HeadError.MALFORMED_CHUNK),
    /** RFC 9112 section 5.1: white space before a colon is rejected in requests and trailers. */
    BLANK_BEFORE_COLON("\r\n[^:\r\n]+[ \t]", HeadError.MALFORMED_HEADER, HeadError.MALFORMED_CHUNK),
    /** RFC 9110 section 7.6.1: connection options are tokens. */
    CONNECTION_OPTIONS(
            "(?i)\r\nConnection:(?![ \t,]*([!#$%&'*+.^_`|~0-9a-z-]*[ \t]*,[ \t]*)*[!#$%&'*+.^_`|~0-9a-z-]*[ \t]*\r\n)",
            HeadError.MALFORMED_HEADER),
    /** RFC 9110 section 8.6: a length may have any number of digits; we accept 18. */
    LONG_LENGTH("(?i)\r\nContent-Length:[ \t]*[0-9]{19,}", HeadError.MALFORMED_CONTENT_LENGTH),
    /** RFC 9112 section 6.1: a request with an unknown coding gets 501. */
    UNKNOWN_CODING("(?i)\r\nTransfer-Encoding:(?![ \t]*chunked[ \t]*\r\n)", HeadError.UNKNOWN_TRANSFER_ENCODING),
    /**
     * RFC 9112 section 6.1: chunked occurs once and is the last coding; we also reject empty list elements and
     * parameters.
     */
    LIST_OF_CODINGS(
            "(?is)\r\nTransfer-Encoding:(?![ \t]*chunked[ \t]*\r\n)|\nTransfer-Encoding:.*\nTransfer-Encoding:",
            HeadError.MALFORMED_TRANSFER_ENCODING),
    /** RFC 9112 sections 6.1 and 6.3: Netty does not check the framing of responses without a body. */
    FRAMING_WITHOUT_BODY(
            "^HTTP/1.[01] (1[0-9][0-9]|204|304)[ \r]",
            HeadError.LENGTH_AND_TRANSFER_ENCODING,
            HeadError.TRANSFER_ENCODING_IN_HTTP_1_0),
    /** RFC 9112 section 7.1.1: we reject white space and missing parts in chunk sizes and extensions. */
    SIZE_LINE(
            "\r\n[ \t]*[0-9a-fA-F]+([ \t]|[^\r\n]*(;[ \t]*(;|\r|=)|[ \t]*;[ \t]|[ \t]=|=[ \t]|\"[^\r]*\"[^;\r]|;[ \t]*$|[\"(),/:<>?@\\[\\\\\\]{}]))",
            HeadError.MALFORMED_CHUNK),
    /** RFC 9110 section 6.5.1: Netty drops three of the forbidden trailers; we reject all of them. */
    TRAILER_NAME("(?i)\n(" + NaiveChunks.FORBIDDEN + "):", HeadError.FORBIDDEN_TRAILER);

    private final Pattern shows;
    private final Set<HeadError> faults;

    KnownDifference(String shows, HeadError first, HeadError... more) {
        this.shows = Pattern.compile(shows, Pattern.DOTALL);
        this.faults = EnumSet.of(first, more);
    }

    boolean explains(String message, HeadError fault) {
        return faults.contains(fault) && shows.matcher(message).find();
    }
}
