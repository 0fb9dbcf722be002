package io.ballast.policy.cache.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The key of a URL: scheme, authority, path and query. A key for lookups refers to a buffer that is reused; {@link
 * #copy} creates one that can be stored.
 */
public final class UrlKey {

    private byte[] bytes;
    private int length;
    private int hash;

    public UrlKey() {
        this(new byte[0]);
    }

    private UrlKey(byte[] bytes) {
        this.bytes = bytes;
        this.length = bytes.length;
    }

    /** Makes the key refer to {@code source[0, to)} until the next call. */
    public void set(byte[] source, int to, long hashOfBytes) {
        bytes = source;
        length = to;
        hash = Long.hashCode(hashOfBytes);
    }

    /** Returns a key with a copy of the bytes. */
    public UrlKey copy() {
        UrlKey copy = new UrlKey(Arrays.copyOf(bytes, length));
        copy.hash = hash;
        return copy;
    }

    int length() {
        return length;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof UrlKey key
                && key.hash == hash
                && Arrays.equals(bytes, 0, length, key.bytes, 0, key.length);
    }

    /** The URL. */
    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }
}
