package io.ballast.policy.basic;

import com.password4j.Argon2Function;
import com.password4j.BcryptFunction;
import io.ballast.policy.config.HashedPassword;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Verifies passwords. Thread safety: all methods may be called concurrently. */
@FunctionalInterface
interface PasswordVerifier {

    /**
     * Verifies with the library Password4j. A bcrypt hash of cost 10 takes about 50 ms. One argon2id hash is verified
     * at a time, because each verification needs its own memory; further verifications wait.
     */
    PasswordVerifier LIBRARY = Library::verify;

    /** Returns whether a password matches a hash. Slow; must not be called on an event loop. */
    boolean verify(HashedPassword hash, byte[] password);

    /**
     * Calls the library. This is a separate class, so that the classes of the library are loaded only for the first
     * verification.
     */
    final class Library {

        private static final Lock ONE_ARGON2 = new ReentrantLock();

        private Library() {}

        private static boolean verify(HashedPassword hash, byte[] password) {
            if (hash.isBcrypt()) {
                // The library computes version 2a incorrectly for characters outside of ASCII. Version 2b is the same
                // algorithm.
                String text = hash.text().replaceFirst("^\\$2a", "\\$2b");
                return BcryptFunction.getInstanceFromHash(text).check(password, ascii(text));
            }
            ONE_ARGON2.lock();
            try {
                return Argon2Function.getInstanceFromHash(hash.text()).check(password, ascii(hash.text()));
            } finally {
                ONE_ARGON2.unlock();
            }
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
