package io.ballast.dns.protect;

import io.ballast.core.Checks;
import io.ballast.core.hash.SipHash24;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.CookieSecret;
import io.ballast.dns.wire.Edns;
import io.ballast.dns.wire.EdnsResponse;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Creates and verifies server cookies, which prove that a client receives packets at its address. Uses the
 * interoperable format (<a href="https://datatracker.ietf.org/doc/html/rfc9018#section-4">RFC 9018 section
 * 4</a>): version 1, three reserved bytes, the time, and a hash. The hash is a SipHash-2-4 of these fields,
 * the client cookie and the client's address.
 *
 * <p>Thread safety: any thread may call any method. Cost: one hash for each secret; allocates nothing.
 */
public final class ServerCookies {

    /** The result of verifying a query's cookie. */
    public enum Verdict {
        /** There is no cookie, or only the client part. */
        UNPROVEN,
        /** The server part of the cookie was created by another server, has expired, or is forged. */
        BAD,
        /** The cookie is valid, which proves that the client receives packets at its address. */
        VALID
    }

    private static final int SERVER_COOKIE_BYTES = 16;
    private static final int VERSION_OFFSET = 8;
    private static final int TIME_OFFSET = 12;
    private static final int HASH_OFFSET = 16;
    private static final int VERSION = 1;
    private static final int MAX_AGE_SECONDS = 3600;
    private static final int MAX_LEAD_SECONDS = 300;
    private static final int RENEWAL_AGE_SECONDS = 1800;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle TIME = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private volatile SipHash24[] hashes;

    /** @param secrets the secrets, at least one; the first secret creates cookies, and all secrets verify them */
    public ServerCookies(List<CookieSecret> secrets) {
        hashes = hashes(secrets);
    }

    /** Replaces the secrets for all later queries. */
    void use(List<CookieSecret> secrets) {
        hashes = hashes(secrets);
    }

    private static SipHash24[] hashes(List<CookieSecret> secrets) {
        Checks.positive(secrets.size(), "secrets");
        return secrets.stream()
                .map(CookieSecret::bytes)
                .map(bytes -> new SipHash24((long) LONG.get(bytes, 0), (long) LONG.get(bytes, 8)))
                .toArray(SipHash24[]::new);
    }

    /**
     * Verifies the cookie of a query, and writes the cookie of the response. The response repeats the cookie of the
     * query if that cookie is valid and at most half an hour old; otherwise the response gets a new cookie.
     *
     * @param cookie array with the query's cookie at {@code at}; 8 or 16 to 40 bytes
     * @param high the client's address in the form of {@link IpAddress}
     * @param nowSeconds the low 32 bits of the time in seconds since 1970
     * @param reply buffer for {@value EdnsResponse#COOKIE_BYTES} bytes
     */
    public Verdict exchange(byte[] cookie, int at, int length, long high, long low, int nowSeconds, byte[] reply) {
        long client = (long) LONG.get(cookie, at);
        int age = length == EdnsResponse.COOKIE_BYTES ? nowSeconds - (int) TIME.get(cookie, at + TIME_OFFSET) : 0;
        int secret = verify(cookie, at, length, client, high, low, age);
        if (secret == 0 && age <= RENEWAL_AGE_SECONDS) {
            System.arraycopy(cookie, at, reply, 0, EdnsResponse.COOKIE_BYTES);
            return Verdict.VALID;
        }
        writeCookie(client, high, low, nowSeconds, reply);
        if (secret >= 0) {
            return Verdict.VALID;
        }
        return length == Edns.CLIENT_COOKIE_BYTES ? Verdict.UNPROVEN : Verdict.BAD;
    }

    /**
     * Returns the index of the secret that created the cookie; -1 if no secret did, or if the cookie's time is
     * out of range.
     */
    private int verify(byte[] cookie, int at, int length, long client, long high, long low, int age) {
        boolean isOwn =
                length == Edns.CLIENT_COOKIE_BYTES + SERVER_COOKIE_BYTES && cookie[at + VERSION_OFFSET] == VERSION;
        if (!isOwn || age > MAX_AGE_SECONDS || age < -MAX_LEAD_SECONDS) {
            return -1;
        }
        long stamp = (long) LONG.get(cookie, at + VERSION_OFFSET);
        long wanted = (long) LONG.get(cookie, at + HASH_OFFSET);
        SipHash24[] known = hashes;
        for (int i = 0; i < known.length; i++) {
            if (hash(known[i], client, stamp, high, low) == wanted) {
                return i;
            }
        }
        return -1;
    }

    private void writeCookie(long client, long high, long low, int nowSeconds, byte[] reply) {
        LONG.set(reply, 0, client);
        LONG.set(reply, VERSION_OFFSET, (long) VERSION);
        TIME.set(reply, TIME_OFFSET, nowSeconds);
        LONG.set(reply, HASH_OFFSET, hash(hashes[0], client, (long) LONG.get(reply, VERSION_OFFSET), high, low));
    }

    private static long hash(SipHash24 hash, long client, long stamp, long high, long low) {
        if (IpAddress.isIpv4(high, low)) {
            return hash.ofIpv4(client, stamp, Integer.reverseBytes((int) low));
        }
        return hash.ofIpv6(client, stamp, Long.reverseBytes(high), Long.reverseBytes(low));
    }
}
