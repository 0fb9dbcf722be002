package io.ballast.replication;

import io.ballast.cluster.secret.SecretCipher;
import io.ballast.cluster.secret.SecretKind;
import io.ballast.cluster.secret.SecretSet;
import java.util.Optional;

/** Converts shared secrets to encrypted texts, and back. Stateless. */
final class SecretText {

    private SecretText() {}

    static String encrypt(SecretCipher cipher, SecretKind kind, SecretSet set) {
        return cipher.encrypt(kind.label(), set.encode());
    }

    /** Returns the set; empty if it was encrypted with another key, or by another version in an unknown form. */
    static Optional<SecretSet> decrypt(SecretCipher cipher, SecretKind kind, String text) {
        try {
            return cipher.decrypt(kind.label(), text).map(plain -> SecretSet.decode(kind, plain));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
