package io.ballast.http.head;

/** The request methods that a proxy distinguishes (RFC 9110 section 9). */
public enum RequestMethod {
    GET("GET", true, true),
    HEAD("HEAD", true, true),
    OPTIONS("OPTIONS", true, true),
    PUT("PUT", false, true),
    DELETE("DELETE", false, true),
    TRACE("TRACE", true, true),
    POST("POST", false, false),
    PATCH("PATCH", false, false),
    CONNECT("CONNECT", false, false),
    /** Any other token. Its semantics are unknown, so it is never retried. */
    OTHER("", false, false);

    private static final RequestMethod[] KNOWN = {GET, POST, HEAD, PUT, DELETE, OPTIONS, PATCH, TRACE, CONNECT};

    private final byte[] name;
    private final boolean safe;
    private final boolean idempotent;

    RequestMethod(String name, boolean safe, boolean idempotent) {
        this.name = ByteClasses.ascii(name);
        this.safe = safe;
        this.idempotent = idempotent;
    }

    /** Whether the method is safe, that is read-only (RFC 9110 section 9.2.1). */
    public boolean isSafe() {
        return safe;
    }

    /** Whether repeating the request has the same effect as sending it once (RFC 9110 section 9.2.2). */
    public boolean isIdempotent() {
        return idempotent;
    }

    /** The method in {@code bytes[from, to)}; methods are case-sensitive. */
    static RequestMethod of(byte[] bytes, int from, int to) {
        for (RequestMethod method : KNOWN) {
            if (method.matches(bytes, from, to)) {
                return method;
            }
        }
        return OTHER;
    }

    private boolean matches(byte[] bytes, int from, int to) {
        if (to - from != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (bytes[from + i] != name[i]) {
                return false;
            }
        }
        return true;
    }
}
