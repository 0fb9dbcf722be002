package io.ballast.http.head;

import org.jspecify.annotations.Nullable;

/** The header names that a proxy has to understand. All other headers are forwarded unchanged. */
public enum HeaderName {
    HOST("host", Kind.PROTECTED),
    CONTENT_LENGTH("content-length", Kind.PROTECTED),
    TRANSFER_ENCODING("transfer-encoding", Kind.PROTECTED),
    CONNECTION("connection", Kind.HOP_BY_HOP),
    KEEP_ALIVE("keep-alive", Kind.HOP_BY_HOP),
    PROXY_CONNECTION("proxy-connection", Kind.HOP_BY_HOP),
    PROXY_AUTHENTICATE("proxy-authenticate", Kind.HOP_BY_HOP),
    PROXY_AUTHORIZATION("proxy-authorization", Kind.HOP_BY_HOP),
    UPGRADE("upgrade", Kind.HOP_BY_HOP),
    TE("te", Kind.HOP_BY_HOP),
    TRAILER("trailer", Kind.PROTECTED),
    EXPECT("expect", Kind.PROTECTED),
    X_FORWARDED_FOR("x-forwarded-for", Kind.FORWARDING),
    X_FORWARDED_PROTO("x-forwarded-proto", Kind.FORWARDING),
    X_FORWARDED_HOST("x-forwarded-host", Kind.FORWARDING),
    X_FORWARDED_PORT("x-forwarded-port", Kind.FORWARDING),
    FORWARDED("forwarded", Kind.FORWARDING),
    VIA("via", Kind.PROTECTED),
    DATE("date", Kind.PROTECTED),
    ACCEPT("accept", Kind.END_TO_END);

    /** How a proxy treats a header. */
    public enum Kind {
        /** The header is forwarded, unless a {@code Connection} header names it. */
        END_TO_END,
        /** The header is forwarded, even if a {@code Connection} header names it. */
        PROTECTED,
        /** The header identifies the client. Its value is replaced unless the client is trusted. */
        FORWARDING,
        /** The header is hop-by-hop: it applies to one connection only and is never forwarded. */
        HOP_BY_HOP
    }

    private static final HeaderName[][] BY_LENGTH = new HeaderName[24][];

    static {
        for (int length = 0; length < BY_LENGTH.length; length++) {
            int wanted = length;
            HeaderName[] names = java.util.Arrays.stream(values())
                    .filter(name -> name.lowerCase.length == wanted)
                    .toArray(HeaderName[]::new);
            BY_LENGTH[length] = names;
        }
    }

    public final Kind kind;
    private final byte[] lowerCase;

    HeaderName(String lowerCase, Kind kind) {
        this.lowerCase = ByteClasses.ascii(lowerCase);
        this.kind = kind;
    }

    /**
     * Returns the header that {@code bytes[from, to)} names for a backend that treats underscores as hyphens;
     * null if this enum does not contain it. Called for names that contain an underscore.
     */
    public static @Nullable HeaderName ofUnderscoreVariant(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length >= BY_LENGTH.length) {
            return null;
        }
        for (HeaderName name : BY_LENGTH[length]) {
            if (ByteClasses.equalsIgnoreUnderscores(bytes, from, to, name.lowerCase)) {
                return name;
            }
        }
        return null;
    }

    /** The name in {@code bytes[from, to)}, or null if it is not listed here. */
    static @Nullable HeaderName of(byte[] bytes, int from, int to) {
        int length = to - from;
        if (length >= BY_LENGTH.length) {
            return null;
        }
        for (HeaderName name : BY_LENGTH[length]) {
            // The first letter distinguishes most names.
            if ((bytes[from] | 0x20) == name.lowerCase[0]
                    && ByteClasses.equalsIgnoreCase(bytes, from, to, name.lowerCase)) {
                return name;
            }
        }
        return null;
    }
}
