package io.ballast.policy.jwt;

import io.ballast.core.hash.SipHash24;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A cache of verified tokens or sessions by their text. A keyed hash of the end of the text selects a set of {@value
 * #WAYS} entries; the whole text is then compared in constant time. The end of the text is unpredictable, because it is
 * a part of the signature or the authentication tag. A new entry replaces an expired entry of its set; if there is
 * none, it replaces the entry that expires first. Memory: the maximum number of tokens, each at most 8 KiB, and their
 * claims.
 *
 * <p>Thread safety: all methods may be called concurrently without locks. If two threads store tokens in the same set
 * at the same time, one of them may be lost. Cost of {@link #find}: a hash of {@value #HASHED_BYTES} bytes and a
 * comparison; allocates nothing.
 */
public final class TokenCache<T extends CachedToken> {

    private static final int WAYS = 8;
    private static final int HASHED_BYTES = 64;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final SipHash24 hash;
    private final int setMask;
    private final AtomicReferenceArray<@Nullable Entry<T>> entries;

    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    private record Entry<T>(long hash, byte[] text, T token) {}

    /**
     * @param maximum the number of tokens, rounded up to {@value #WAYS} times a power of two
     * @param hash a hash function with a random key
     */
    public TokenCache(int maximum, SipHash24 hash) {
        int sets = Integer.highestOneBit(Math.max(1, 2 * ((maximum + WAYS - 1) / WAYS) - 1));
        this.hash = hash;
        this.setMask = sets - 1;
        this.entries = new AtomicReferenceArray<>(sets * WAYS);
    }

    /** Returns the token {@code bytes[from, to)} if it is in the cache and valid; otherwise null. */
    public @Nullable T find(byte[] bytes, int from, int to, long nowMillis) {
        long key = key(bytes, from, to);
        int first = set(key);
        for (int i = first; i < first + WAYS; i++) {
            Entry<T> entry = entries.getAcquire(i);
            if (entry != null && entry.hash() == key && isEqual(entry.text(), bytes, from, to)) {
                return entry.token().isValid(nowMillis) ? entry.token() : null;
            }
        }
        return null;
    }

    /** Stores a token, whose text must not be modified later. */
    public void put(byte[] text, T token, long nowMillis) {
        long key = key(text, 0, text.length);
        int first = set(key);
        int replaced = first;
        long earliest = Long.MAX_VALUE;
        for (int i = first; i < first + WAYS; i++) {
            Entry<T> entry = entries.getAcquire(i);
            if (entry != null && entry.hash() == key && isEqual(entry.text(), text, 0, text.length)) {
                replaced = i;
                break;
            }
            long expires = entry == null || !entry.token().isValid(nowMillis)
                    ? Long.MIN_VALUE
                    : entry.token().expiresMillis();
            if (expires < earliest) {
                earliest = expires;
                replaced = i;
            }
        }
        entries.setRelease(replaced, new Entry<>(key, text, token));
    }

    private long key(byte[] bytes, int from, int to) {
        return hash.of(bytes, Math.max(from, to - HASHED_BYTES), to);
    }

    private int set(long key) {
        return ((int) key & setMask) * WAYS;
    }

    /** Compares a token in a time that depends only on its length. */
    private static boolean isEqual(byte[] known, byte[] bytes, int from, int to) {
        if (known.length != to - from) {
            return false;
        }
        long difference = 0;
        int i = 0;
        for (; i <= known.length - Long.BYTES; i += Long.BYTES) {
            difference |= (long) LONG.get(known, i) ^ (long) LONG.get(bytes, from + i);
        }
        for (; i < known.length; i++) {
            difference |= known[i] ^ bytes[from + i];
        }
        return difference == 0;
    }
}
