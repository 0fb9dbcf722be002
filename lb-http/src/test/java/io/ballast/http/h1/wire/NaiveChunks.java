package io.ballast.http.h1.wire;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A simple reference parser for chunked bodies, without limits. */
final class NaiveChunks {

    static final int BAD = -1;
    static final int UNFINISHED = 0;

    /** Forbidden trailer names, in lower case; some parsers treat an underscore as a hyphen. */
    static final String FORBIDDEN = "host|te|via|trailer|expect|upgrade|(?:set[-_])?cookie|range|cache[-_]control"
            + "|content[-_](?:length|encoding|type|range)|transfer[-_]encoding|connection|keep[-_]alive|max[-_]forwards"
            + "|(?:proxy[-_])?(?:authorization|connection)|(?:proxy|www)[-_]authenticate"
            + "|forwarded|x[-_]forwarded[-_](?:for|proto|host|port)";

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final String QUOTED =
            "\"(?:[^\\x00-\\x08\\x0a-\\x1f\\x7f\"\\\\]|\\\\[^\\x00-\\x08\\x0a-\\x1f\\x7f])*+\"";
    private static final Pattern SIZE =
            Pattern.compile("([0-9A-Fa-f]{1,14})(?:;" + TOKEN + "(?:=(?:" + TOKEN + "|" + QUOTED + "))?)*+\r\n");
    private static final Pattern TRAILER =
            Pattern.compile("(?!(?i:" + FORBIDDEN + "):)" + TOKEN + ":[^\\x00-\\x08\\x0a-\\x1f\\x7f]*\r\n");

    private NaiveChunks() {}

    /** Returns the end of the body, {@link #BAD} or {@link #UNFINISHED}. */
    static int end(String body) {
        int at = 0;
        while (true) {
            int size = line(SIZE, body, at);
            if (size <= 0) {
                return size;
            }
            long length = Long.parseLong(body.substring(at, at + digits(body, at)), 16);
            at += size;
            if (length == 0) {
                return trailers(body, at);
            }
            int left = body.length() - at;
            if (left < length + 2) {
                boolean badEnd = left == length + 1 && body.charAt(body.length() - 1) != '\r';
                return badEnd ? BAD : UNFINISHED;
            }
            at += (int) length;
            if (!body.startsWith("\r\n", at)) {
                return BAD;
            }
            at += 2;
        }
    }

    /** Returns the data of a complete body. */
    static String data(String body) {
        StringBuilder data = new StringBuilder();
        follow(body, data);
        return data.toString();
    }

    /** Returns the start of the trailers of a complete body. */
    static int trailersAt(String body) {
        return follow(body, new StringBuilder());
    }

    private static int follow(String body, StringBuilder data) {
        int at = 0;
        while (true) {
            int length = Integer.parseInt(body.substring(at, at + digits(body, at)), 16);
            at = body.indexOf("\r\n", at) + 2;
            if (length == 0) {
                return at;
            }
            data.append(body, at, at + length);
            at += length + 2;
        }
    }

    private static int trailers(String body, int from) {
        int at = from;
        while (!body.startsWith("\r\n", at)) {
            if (at < body.length() && body.substring(at).equals("\r")) {
                return UNFINISHED;
            }
            int trailer = line(TRAILER, body, at);
            if (trailer <= 0) {
                return trailer;
            }
            at += trailer;
        }
        return at + 2;
    }

    private static int digits(String body, int from) {
        int to = from;
        while (Character.digit(body.charAt(to), 16) >= 0) {
            to++;
        }
        return to - from;
    }

    /**
     * Returns the length of the line at {@code from}, {@link #UNFINISHED} if more data could complete it, or
     * {@link #BAD}.
     */
    private static int line(Pattern form, String body, int from) {
        Matcher matcher = form.matcher(body).region(from, body.length());
        if (matcher.lookingAt()) {
            return matcher.end() - from;
        }
        return matcher.hitEnd() ? UNFINISHED : BAD;
    }
}
