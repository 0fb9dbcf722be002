package io.ballast.core.balance;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StickyKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The token that returns a client to its backend: the first 128 bits of the HMAC-SHA256 of the pool's name
 * and the backend's address. A token cannot be forged without the key, does not reveal the address, and is
 * the same on all balancers with the same key.
 *
 * <p>Tokens are computed in advance, one for each key and backend, so a request needs no cryptography.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class SessionTokens {

    private static final String ALGORITHM = "HmacSHA256";

    private final List<SecretKeySpec> keys;
    /** For each backend, the upper and the lower half of its token for each key. */
    private final Map<Backend, long[]> tokensByBackend = new ConcurrentHashMap<>();

    /** @param keys the first key signs, all keys verify; if the list is empty, a random key is used */
    SessionTokens(List<StickyKey> keys) {
        List<StickyKey> all = keys.isEmpty() ? List.of(random()) : keys;
        this.keys = all.stream()
                .map(key -> new SecretKeySpec(key.bytes(), ALGORITHM))
                .toList();
    }

    private static StickyKey random() {
        byte[] bytes = new byte[StickyKey.DIGITS / 2];
        new SecureRandom().nextBytes(bytes);
        return StickyKey.of(bytes);
    }

    /** Returns the upper half of the token that clients of this backend get. */
    public long high(Backend backend) {
        return of(backend)[0];
    }

    /** Returns the lower half of the token that clients of this backend get. */
    public long low(Backend backend) {
        return of(backend)[1];
    }

    /** Returns whether this is the backend's current token, so that the client needs no new one. */
    public boolean isCurrent(Backend backend, long high, long low) {
        long[] tokens = of(backend);
        return ((tokens[0] ^ high) | (tokens[1] ^ low)) == 0;
    }

    /** All tokens of a backend: for each key, the upper and the lower half. Must not be modified. */
    long[] of(Backend backend) {
        long[] tokens = tokensByBackend.get(backend);
        return tokens == null ? tokensByBackend.computeIfAbsent(backend, this::sign) : tokens;
    }

    /** Keeps only the tokens of these backends; the tokens of other backends are computed again on demand. */
    void retainBackends(Set<Backend> backends) {
        tokensByBackend.keySet().retainAll(backends);
    }

    private long[] sign(Backend backend) {
        byte[] text = (backend.pool() + '\0' + backend.address()).getBytes(StandardCharsets.UTF_8);
        long[] tokens = new long[2 * keys.size()];
        for (int i = 0; i < keys.size(); i++) {
            ByteBuffer signature = ByteBuffer.wrap(sign(keys.get(i), text));
            tokens[2 * i] = signature.getLong();
            tokens[2 * i + 1] = signature.getLong();
        }
        return tokens;
    }

    private static byte[] sign(SecretKeySpec key, byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(ALGORITHM, e); // every JRE supports this algorithm
        }
    }
}
