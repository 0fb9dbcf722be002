package io.ballast.policy.apikey;

import io.ballast.policy.config.ApiKey;
import io.ballast.policy.identity.KnownIdentity;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds API keys by their SHA-256. A client cannot choose the hash of a key, so the place in the table reveals nothing
 * about stored keys; the whole hash is compared in constant time. Immutable. Cost: one comparison in most cases;
 * allocates nothing.
 */
final class KeyTable {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] @Nullable [] hashes;
    private final KnownIdentity[] consumers;
    private final int mask;

    /** @param header the request header in which the backend receives the consumer; empty for none */
    KeyTable(List<ApiKey> keys, Optional<String> header) {
        int size = Integer.highestOneBit(Math.max(1, keys.size())) << 2;
        this.hashes = new byte[size][];
        this.consumers = new KnownIdentity[size];
        this.mask = size - 1;
        Map<String, KnownIdentity> byName = new HashMap<>();
        for (ApiKey key : keys) {
            byte[] hash = key.hashBytes();
            int place = place(hash);
            while (hashes[place] != null) {
                place = (place + 1) & mask;
            }
            hashes[place] = hash;
            consumers[place] = byName.computeIfAbsent(key.consumer(), name -> new KnownIdentity(name, header));
        }
    }

    /** Returns the consumer whose key has the hash; null if there is none. */
    @Nullable KnownIdentity find(byte[] hash) {
        int place = place(hash);
        for (byte[] known = hashes[place]; known != null; known = hashes[place]) {
            if (MessageDigest.isEqual(known, hash)) {
                return consumers[place];
            }
            place = (place + 1) & mask;
        }
        return null;
    }

    private int place(byte[] hash) {
        return (int) (long) LONG.get(hash, 0) & mask;
    }
}
