package io.ballast.net.tls;

import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of session tickets (<a href="https://datatracker.ietf.org/doc/html/rfc5077">RFC 5077</a>, <a
 * href="https://datatracker.ietf.org/doc/html/rfc8446#section-4.6.1">RFC 8446 section 4.6.1</a>). A new key is created
 * every {@link #LIFE}; tickets of the previous key are still accepted. Keys are kept in memory only, so a stolen key
 * exposes the sessions of two hours at most. Nodes of a cluster can share keys instead. Java's own TLS has its own keys
 * and rotates them itself.
 *
 * <p>Thread safety: any thread may call any method.
 */
final class TicketKeys {

    /** The lifetime of a key, equal to the time for which a session may be resumed. */
    static final Duration LIFE = Duration.ofHours(1);

    private static final int KEPT = 2;
    private static final String MAC = "HmacSHA256";

    private final SecureRandom random = new SecureRandom();
    private final LongSupplier nanoTime;
    private final List<OpenSslSessionTicketKey> keys = new ArrayList<>();
    private List<OpenSslSessionTicketKey> shared = List.of();
    private List<String> sources = List.of();
    private long renewedNanos;

    /** @param nanoTime the clock, as {@link System#nanoTime} */
    TicketKeys(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        add();
    }

    /** Configures a context to issue and accept tickets with the current keys. */
    synchronized void install(SslContext context) {
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            List<OpenSslSessionTicketKey> used = shared.isEmpty() ? keys : shared;
            sessions.setTicketKeys(used.toArray(new OpenSslSessionTicketKey[0]));
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

    /**
     * Uses keys that are derived from secrets of other processes, instead of the keys of this object. If this returns
     * true, the keys must be installed in the contexts.
     *
     * @param secrets hexadecimal digits: the first secret encrypts tickets, all decrypt them; empty to use the keys of
     *     this object
     * @param context a text that is the same in all processes that accept the tickets; different contexts have
     *     different keys
     */
    synchronized boolean share(List<String> secrets, String context) {
        List<String> next =
                secrets.stream().map(secret -> secret + " " + context).toList();
        if (next.equals(sources)) {
            return false;
        }
        sources = next;
        shared = secrets.stream()
                .map(secret -> new OpenSslSessionTicketKey(
                        derive(secret, context, "name", OpenSslSessionTicketKey.NAME_SIZE),
                        derive(secret, context, "hmac", OpenSslSessionTicketKey.HMAC_KEY_SIZE),
                        derive(secret, context, "aes", OpenSslSessionTicketKey.AES_KEY_SIZE)))
                .toList();
        return true;
    }

    private static byte[] derive(String secret, String context, String use, int bytes) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(HexFormat.of().parseHex(secret), MAC));
            return Arrays.copyOf(
                    mac.doFinal(("ballast tls ticket " + use + ": " + context).getBytes(StandardCharsets.UTF_8)),
                    bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(MAC + " is not available", e);
        }
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
