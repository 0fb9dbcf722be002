package io.ballast.policy.config;

/** A content coding that compresses (RFC 9110 section 8.4.1, RFC 7932, RFC 8878). */
public enum ContentCoding {
    BR("br"),
    ZSTD("zstd"),
    GZIP("gzip");

    private final String token;

    ContentCoding(String token) {
        this.token = token;
    }

    /** The name of the coding in {@code Accept-Encoding} and {@code Content-Encoding}. */
    public String token() {
        return token;
    }

    /** Whether the coding needs a native library, which some platforms do not have. */
    public boolean isNative() {
        return this != GZIP;
    }
}
