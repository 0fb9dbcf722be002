package io.ballast.net.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The keys of session tickets (<a href="https://datatracker.ietf.org/doc/html/rfc5077">RFC 5077</a>, <a
 * href="https://datatracker.ietf.org/doc/html/rfc8446#section-4.6.1">RFC 8446 section 4.6.1</a>). A new key is created
 * every {@link #LIFE}; tickets of the previous key are still accepted. Keys are kept in memory only, so a stolen key
 * exposes the sessions of two hours at most. Java's own TLS has its own keys and rotates them itself.
 *
 * <p>Thread safety: any thread may call any method.
 */
final class TicketKeys {

    /** The lifetime of a key, equal to the time for which a session may be resumed. */
    static final Duration LIFE = Duration.ofHours(1);

    private static final int KEPT = 2;

    private final SecureRandom random = new SecureRandom();
    private final LongSupplier nanoTime;
    private final List<OpenSslSessionTicketKey> keys = new ArrayList<>();
    private long renewedNanos;

    /** @param nanoTime the clock, as {@link System#nanoTime} */
    TicketKeys(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        add();
    }

    /** Configures a context to issue and accept tickets with the current keys. */
    synchronized void install(SslContext context) {
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setTicketKeys(keys.toArray(new OpenSslSessionTicketKey[0]));
        }
    }

    /**
     * Adds a new key if the last one is old enough. If this returns true, the keys must be installed in the
     * contexts.
     */
    synchronized boolean renewIfDue() {
        if (nanoTime.getAsLong() - renewedNanos < LIFE.toNanos()) {
            return false;
        }
        add();
        return true;
    }

    /** Replaces all keys, so that earlier sessions cannot be resumed. */
    synchronized void forget() {
        keys.clear();
        add();
    }

    private synchronized void add() {
        renewedNanos = nanoTime.getAsLong();
        keys.add(
                0,
                new OpenSslSessionTicketKey(
                        bytes(OpenSslSessionTicketKey.NAME_SIZE),
                        bytes(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                        bytes(OpenSslSessionTicketKey.AES_KEY_SIZE)));
        if (keys.size() > KEPT) {
            keys.remove(KEPT);
        }
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
