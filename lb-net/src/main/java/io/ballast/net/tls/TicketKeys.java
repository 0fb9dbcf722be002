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
 * The keys that sessions are handed out to clients under (<a href="https://datatracker.ietf.org/doc/html/rfc5077">RFC
 * 5077</a>, <a href="https://datatracker.ietf.org/doc/html/rfc8446#section-4.6.1">RFC 8446 section 4.6.1</a>), so that they
 * can go on with them later. A new key every {@link #LIFE}; what was handed out under the one before is still taken. They
 * are kept in memory only: with a stolen key the sessions of two hours can be read, not more. Java's own implementation
 * has keys of its own, which it replaces itself.
 *
 * <p>Thread safety: confined to one thread.
 */
final class TicketKeys {

    /** As long as a session may be resumed. */
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

    /** Has a context hand out and take sessions under the present keys. */
    void install(SslContext context) {
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setTicketKeys(keys.toArray(new OpenSslSessionTicketKey[0]));
        }
    }

    /** Takes a new key if it is time to; true if so, and contexts must have the keys installed anew. */
    boolean renewed() {
        if (nanoTime.getAsLong() - renewedNanos < LIFE.toNanos()) {
            return false;
        }
        add();
        return true;
    }

    /** Sessions of before cannot be resumed. */
    void forget() {
        keys.clear();
        add();
    }

    private void add() {
        renewedNanos = nanoTime.getAsLong();
        keys.add(
                0,
                new OpenSslSessionTicketKey(
                        octets(OpenSslSessionTicketKey.NAME_SIZE),
                        octets(OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                        octets(OpenSslSessionTicketKey.AES_KEY_SIZE)));
        if (keys.size() > KEPT) {
            keys.remove(KEPT);
        }
    }

    private byte[] octets(int count) {
        byte[] octets = new byte[count];
        random.nextBytes(octets);
        return octets;
    }
}
