package io.ballast.policy.rate;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.Rate;
import io.ballast.policy.key.RequestPart;
import java.util.List;

/**
 * Limits failed logins per client and user. An attempt is charged before the password is verified, and refunded if the
 * password is correct, so that parallel attempts cannot exceed the limit.
 *
 * <p>At most {@value #MAX_KEYS} pairs of clients and users are counted. A new pair replaces a pair with only expired
 * failures; if there is none, attempts of new pairs are refused. Thread safety: all methods may be called concurrently;
 * they do not block and allocate nothing.
 */
public final class LoginAttempts {

    /** The maximum number of pairs of clients and users. */
    static final int MAX_KEYS = 16_384;

    /** The network of an IPv6 client, which usually belongs to one subscriber. */
    private static final int IPV6_PREFIX_BITS = 64;

    private final RequestPart client = RequestPart.client(IPV6_PREFIX_BITS);
    private final RequestRateTable table;
    private final SipHash24 hash;

    /**
     * @param hash a hash function with a random key
     * @param now the current time; see {@link System#nanoTime}
     */
    public LoginAttempts(Rate failures, SipHash24 hash, long now) {
        this.table = new RequestRateTable(List.of(RateWindow.of(failures)), MAX_KEYS, /* allowsWhenFull= */ false, now);
        this.hash = hash;
    }

    /** Returns the key of a client and a user. */
    public long key(PolicyExchange exchange, byte[] user) {
        ByteAppender text = exchange.scratch();
        text.clear();
        client.append(exchange, text); // a client at a Unix socket has no address, so only the user counts
        text.append((byte) text.length());
        text.append(user);
        return Math.max(1, hash.of(text.bytes(), 0, text.length()) >>> 1); // an empty entry of the table has the key 0
    }

    /**
     * Charges an attempt.
     *
     * @return 0 if the attempt may continue; otherwise the nanoseconds until an attempt may continue
     */
    public long charge(long key, long now) {
        return table.charge(key, now);
    }

    /** Refunds an attempt that was not a failure. */
    public void refund(long key) {
        table.refund(key);
    }
}
