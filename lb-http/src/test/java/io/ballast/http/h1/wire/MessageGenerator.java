package io.ballast.http.h1.wire;

import java.util.Random;

/** Generates messages by the grammar of RFC 9112, many with a defect. The same seed gives the same messages. */
final class MessageGenerator {

    private static final String UNUSUAL_BYTES = "\r\n\t :,;=\"\\\0\u000b\u007f\u0080\u00ff/@#?0159+-xXcC";

    private static final String[] METHODS = {"GET", "POST", "HEAD", "OPTIONS", "M-SEARCH"};
    private static final String[] ODD_METHODS = {"get", "", "G(T", "GET\t", "CONNECT", "P\u00c4"};
    private static final String[] TARGETS = {"/", "/a/../b?c=%zz", "//", "http://a:80/b", "/%00"};
    private static final String[] ODD_TARGETS = {
        "*", "http://u@a/", "a", "/#f", "/\u00e4", "https://a/", "http://", "http://[::1/", "/a b", "/\t", "/\u0001"
    };
    private static final String[] ODD_VERSIONS = {
        "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "http/1.1", "HTTP/1.1 ", "HTTP/1", "HTTP/11.1", ""
    };
    private static final String[] ODD_HOSTS = {
        "", "Host:\r\n", "Host: a\r\nHost: a\r\n", "Host: u@a\r\n", "Host: a b\r\n", "Host: a%4\r\n", "host : a\r\n"
    };
    private static final String[] STATUSES = {
        "200 OK", "404 ", "204 No Content", "304 \u00e4\tb", "100 Continue", "599 x"
    };
    private static final String[] ODD_STATUSES = {
        "200", "20 OK", "2000 OK", "099 x", "600 x", " 200 OK", "200 O\u0001K", "2x0"
    };
    private static final String[] FIELDS = {
        "X: y", "Accept:*/*", "Cookie: \u00e4=\"b\"", "X-Empty:", "x:  y \t", "TE: trailers"
    };
    private static final String[] ODD_FIELDS = {
        "X : y",
        "X\t: y",
        " X: y",
        "X: y\r\n z",
        "X: y\r\n\tz",
        "X",
        ": y",
        "X: \0",
        "X: y\rz",
        "X: \u000by",
        "X(: y",
        "X: y\u007f",
        "Connection: a b",
        "Connection: close, x",
        "Connection: \"x\"",
        "\u00c4: y",
        "X: y\n",
        "Connection: ,,"
    };
    private static final String[] ODD_LENGTHS = {
        "+5",
        "-5",
        "0x5",
        "5, 5",
        "5,5",
        "5 5",
        "",
        "005",
        "5\r\nContent-Length: 5",
        "5\r\nContent-Length: 6",
        "05.0",
        "9223372036854775807",
        "9223372036854775808",
        "\u0665",
        "5;",
        "00000000000000000005"
    };
    private static final String[] ODD_CODINGS = {
        "Chunked",
        "chunked, chunked",
        "gzip, chunked",
        "chunked, gzip",
        "gzip",
        "identity",
        "xchunked",
        "chunked,",
        "",
        "chunked;q=1",
        "chunked\r\nTransfer-Encoding: chunked",
        "\u000bchunked",
        "chunked\r\nContent-Length: 5",
        ", chunked"
    };
    private static final String[] CHUNKS = {
        "3\r\nabc\r\n", "A;a=b\r\n0123456789\r\n", "1;a;b=\"c\\\"d\"\r\nx\r\n", "0003\r\nab\n\r\n"
    };
    private static final String[] ODD_CHUNKS = {
        "3 \r\nabc\r\n",
        " 3\r\nabc\r\n",
        "3;\r\nabc\r\n",
        "3; a=b\r\nabc\r\n",
        "3;a = b\r\nabc\r\n",
        "3;a=\r\nabc\r\n",
        "3;a=\"b\r\nabc\r\n",
        "3\nabc\r\n",
        "3\r\nabc\n",
        "3\r\nabcd\r\n",
        "0x3\r\nabc\r\n",
        "-3\r\nabc\r\n",
        "+3\r\nabc\r\n",
        "g\r\n",
        "\r\n",
        "3;a\nb\r\nabc\r\n",
        "3\t\r\nabc\r\n",
        "80000000\r\nabc\r\n",
        "fffffffffffffffff\r\nabc\r\n",
        "3;a=b\"c\r\nabc\r\n",
        "3;a\u0001\r\nabc\r\n",
        "3;a=\"\u00e4\";\r\nabc\r\n",
        "3 ;a\r\nabc\r\n",
        "3;;a\r\nabc\r\n"
    };
    private static final String[] TRAILERS = {"T: u\r\n", "Grpc-Status: 0\r\n", "t:\r\n"};
    private static final String[] ODD_TRAILERS = {
        "T : u\r\n",
        " T: u\r\n",
        "T: u\r\n v\r\n",
        "Host: b\r\n",
        "Content-Length: 1\r\n",
        "Cookie: a\r\n",
        "T: u\n",
        "T\r\n",
        "T: \0\r\n",
        "Trailer: x\r\n",
        "Transfer-Encoding: chunked\r\n"
    };

    private final Random random;

    MessageGenerator(long seed) {
        random = new Random(seed);
    }

    String request() {
        String method = pick(METHODS, ODD_METHODS);
        String line = method + space() + pick(TARGETS, ODD_TARGETS) + space() + version() + lineEnd();
        String host = isOdd() ? any(ODD_HOSTS) : "Host: a:80\r\n";
        return mutated((isOdd() ? "\r\n" : "") + line + host + rest());
    }

    String response() {
        String line = version() + space() + pick(STATUSES, ODD_STATUSES) + lineEnd();
        return mutated((isVeryOdd() ? "\r\n" : "") + line + rest());
    }

    /** Returns fields and body. */
    private String rest() {
        StringBuilder rest = new StringBuilder();
        for (int i = random.nextInt(3); i > 0; i--) {
            rest.append(pick(FIELDS, ODD_FIELDS)).append(lineEnd());
        }
        return switch (random.nextInt(4)) {
            case 0 -> rest + lineEnd();
            case 1 -> rest + "Content-Length: " + pick(new String[] {"5", "0"}, ODD_LENGTHS) + "\r\n\r\nabcde";
            default ->
                rest + "Transfer-Encoding: " + pick(new String[] {"chunked"}, ODD_CODINGS) + "\r\n\r\n" + chunks();
        };
    }

    private String chunks() {
        StringBuilder chunks = new StringBuilder();
        for (int i = random.nextInt(3); i > 0; i--) {
            chunks.append(pick(CHUNKS, ODD_CHUNKS));
        }
        chunks.append(
                pick(new String[] {"0\r\n", "000;a=b\r\n"}, new String[] {"0 \r\n", "0\n", "0;\r\n", "-0\r\n", "0\r"}));
        for (int i = random.nextInt(2); i > 0; i--) {
            chunks.append(pick(TRAILERS, ODD_TRAILERS));
        }
        return chunks.append(lineEnd()).toString();
    }

    private String version() {
        return isOdd() ? any(ODD_VERSIONS) : "HTTP/1.1";
    }

    private String space() {
        return isVeryOdd() ? any("  ", "\t", "\u000b", "", "\u000c", "\r") : " ";
    }

    private String lineEnd() {
        return isVeryOdd() ? any("\n", "\r", "\r\r\n", " \r\n", "") : "\r\n";
    }

    private String mutated(String message) {
        StringBuilder text = new StringBuilder(message);
        for (int i = random.nextInt(4) == 0 ? 1 + random.nextInt(3) : 0; i > 0; i--) {
            int at = random.nextInt(text.length());
            char b = UNUSUAL_BYTES.charAt(random.nextInt(UNUSUAL_BYTES.length()));
            switch (random.nextInt(3)) {
                case 0 -> text.setCharAt(at, b);
                case 1 -> text.insert(at, b);
                default -> text.deleteCharAt(at);
            }
        }
        return text.toString();
    }

    private String pick(String[] usual, String[] odd) {
        return any(isOdd() ? odd : usual);
    }

    private boolean isOdd() {
        return random.nextInt(8) == 0;
    }

    private boolean isVeryOdd() {
        if (!isOdd()) {
            return false;
        }
        return isOdd();
    }

    private String any(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
