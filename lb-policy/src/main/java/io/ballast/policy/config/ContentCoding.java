package io.ballast.policy.config;

/** A content coding that compresses (RFC 9110 section 8.4.1). */
public enum ContentCoding {
    BR(/* isAvailable= */ false),
    ZSTD(/* isAvailable= */ false),
    GZIP(/* isAvailable= */ true);

    private final boolean available;

    ContentCoding(boolean isAvailable) {
        this.available = isAvailable;
    }

    /** Whether this version has a compressor for the coding. */
    public boolean isAvailable() {
        return available;
    }
}
