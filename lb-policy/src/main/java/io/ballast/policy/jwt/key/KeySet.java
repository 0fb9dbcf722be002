package io.ballast.policy.jwt.key;

import com.nimbusds.jose.jwk.JWK;
import io.ballast.policy.config.jwt.JwtAlgorithm;
import io.ballast.policy.jwt.token.StrictJson;
import java.io.IOException;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of an issuer. Immutable. */
public final class KeySet {

    /** The maximum number of keys that verify one token. */
    static final int MAX_FITTING = 4;

    private final List<VerificationKey> keys;

    private KeySet(List<VerificationKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** Returns a set of the given keys. */
    public static KeySet of(List<VerificationKey> keys) {
        return new KeySet(keys);
    }

    /**
     * Reads a JWK set (RFC 7517 section 5). Keys that cannot verify tokens are omitted, such as keys for encryption and
     * secret keys.
     *
     * @throws IllegalArgumentException if the text is not a JWK set, or contains no usable key
     */
    public static KeySet parse(String text) {
        List<VerificationKey> usable = new ArrayList<>();
        for (Object item : items(text)) {
            if (item instanceof Map<?, ?> members) {
                key(members).ifPresent(usable::add);
            }
        }
        if (usable.isEmpty()) {
            throw new IllegalArgumentException(
                    "JWK set: no public key for signatures (expected: at least one RSA, EC or OKP key)");
        }
        return new KeySet(usable);
    }

    private static List<?> items(String text) {
        try {
            if (StrictJson.object(text).get("keys") instanceof List<?> items) {
                return items;
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("JWK set: not valid JSON (expected: an object with the list keys)", e);
        }
        throw new IllegalArgumentException("JWK set: no keys (expected: an object with the list keys)");
    }

    private static Optional<VerificationKey> key(Map<?, ?> item) {
        Map<String, Object> members = new HashMap<>();
        item.forEach((name, value) -> members.put(String.valueOf(name), value));
        // An unverified certificate must not make a key unusable, and must not be trusted.
        members.keySet().removeAll(List.of("x5u", "x5c", "x5t", "x5t#S256"));
        try {
            return VerificationKey.of(JWK.parse(members));
        } catch (ParseException | RuntimeException unusable) {
            return Optional.empty(); // RFC 7517 section 5: ignore keys that are not understood
        }
    }

    /** Returns the keys that may have signed a token, at most {@value #MAX_FITTING}. */
    public List<VerificationKey> fitting(JwtAlgorithm algorithm, String keyId) {
        return keys.stream()
                .filter(key -> key.fits(algorithm, keyId))
                .limit(MAX_FITTING)
                .toList();
    }

    /**
     * Returns the keys of a newer set. If a key is in both sets, the result contains the object of this set; all other
     * keys of this set are retired.
     */
    KeySet replacedBy(KeySet newer) {
        List<VerificationKey> next = new ArrayList<>();
        for (VerificationKey key : newer.keys) {
            next.add(keys.stream().filter(key::isOf).findFirst().orElse(key));
        }
        keys.stream().filter(key -> !next.contains(key)).forEach(VerificationKey::retire);
        return new KeySet(next);
    }
}
