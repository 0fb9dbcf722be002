package io.ballast.http.h1;

/** Request methods, as far as a proxy tells them apart (RFC 9110 section 9). */
enum Method {
    GET("GET", true),
    HEAD("HEAD", true),
    OPTIONS("OPTIONS", true),
    PUT("PUT", true),
    DELETE("DELETE", true),
    TRACE("TRACE", true),
    POST("POST", false),
    PATCH("PATCH", false),
    CONNECT("CONNECT", false),
    /** Any other token; nothing is known about it, so it is never sent twice. */
    OTHER("", false);

    private static final Method[] KNOWN = {GET, POST, HEAD, PUT, DELETE, OPTIONS, PATCH, TRACE, CONNECT};

    private final byte[] name;
    private final boolean idempotent;

    Method(String name, boolean idempotent) {
        this.name = Octets.ascii(name);
        this.idempotent = idempotent;
    }

    /** Whether sending it twice means no more than sending it once (RFC 9110 section 9.2.2). */
    boolean isIdempotent() {
        return idempotent;
    }

    /** The method in {@code bytes[from, to)}; methods are case-sensitive. */
    static Method of(byte[] bytes, int from, int to) {
        for (Method method : KNOWN) {
            if (method.isAt(bytes, from, to)) {
                return method;
            }
        }
        return OTHER;
    }

    private boolean isAt(byte[] bytes, int from, int to) {
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
