package io.ballast.policy.key;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import java.util.List;

/**
 * Hashes the parts of a request that select its counter. The hash is keyed, so that a client cannot find requests that
 * share the counter of another client. Immutable; allocates nothing.
 */
public final class RequestCounterKey {

    /** The result of {@link #of} if the limit does not apply to the request. */
    public static final long SKIPPED = 0;
    /** The result of {@link #of} if the request must be refused, because a part is missing. */
    public static final long REFUSED = -1;

    private final RequestPart[] parts;
    private final RequestPart client;
    private final MissingKey missing;
    private final SipHash24 hash;
    private final KeyText text;

    /**
     * Creates a key of the given parts.
     *
     * @param missing the effect of a missing part
     * @param ipv6PrefixBits the length of the prefix that identifies an IPv6 client
     * @param hash a hash function with a random key
     */
    public RequestCounterKey(List<LimitKey> keys, MissingKey missing, int ipv6PrefixBits, SipHash24 hash) {
        this.parts =
                keys.stream().map(key -> RequestPart.of(key, ipv6PrefixBits)).toArray(RequestPart[]::new);
        this.client = RequestPart.client(ipv6PrefixBits);
        this.missing = missing;
        this.hash = hash;
        this.text = new KeyText(keys, parts, ipv6PrefixBits, hash);
    }

    /**
     * Describes the key of a request for people, without values that may be secrets. Overwrites {@link
     * PolicyExchange#scratch}; allocates. Only valid while the request is readable.
     */
    public String describe(PolicyExchange exchange) {
        return text.of(exchange);
    }

    /** Whether a part is set by authentication, so that the key is known only after the authentication. */
    public static boolean needsIdentity(List<LimitKey> keys) {
        return keys.stream()
                .map(LimitKey::source)
                .anyMatch(source -> source == LimitKey.Source.IDENTITY || source == LimitKey.Source.CLAIM);
    }

    /** Returns the key: a hash, or {@link #SKIPPED} or {@link #REFUSED}. A hash is never equal to these two values. */
    public long of(PolicyExchange exchange) {
        ByteAppender text = exchange.scratch();
        text.clear();
        for (RequestPart part : parts) {
            int start = text.length();
            if (!part.append(exchange, text)) {
                switch (missing) {
                    case SKIP -> {
                        return SKIPPED;
                    }
                    case REFUSE -> {
                        return REFUSED;
                    }
                    case CLIENT -> {
                        if (!client.append(exchange, text)) {
                            return SKIPPED;
                        }
                    }
                }
            }
            int length = text.length() - start; // the length separates this part from the next one
            text.append((byte) length);
            text.append((byte) (length >>> Byte.SIZE));
        }
        long key = hash.of(text.bytes(), 0, text.length());
        return key == SKIPPED || key == REFUSED ? 1 : key;
    }
}
