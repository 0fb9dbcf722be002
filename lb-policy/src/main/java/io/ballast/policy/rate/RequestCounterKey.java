package io.ballast.policy.rate;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.policy.config.LimitKey;
import io.ballast.policy.config.RequestRateConfig;
import io.ballast.policy.config.RequestRateConfig.MissingKey;
import java.util.List;

/**
 * Hashes the parts of a request that select its counter. The hash is keyed, so that a client cannot find requests that
 * share the counter of another client. Immutable; allocates nothing.
 */
final class RequestCounterKey {

    /** The limit does not apply to the request. */
    static final long SKIPPED = 0;
    /** The request must be refused, because a part is missing. */
    static final long REFUSED = -1;

    private final RequestPart[] parts;
    private final RequestPart client;
    private final MissingKey missing;
    private final SipHash24 hash;

    RequestCounterKey(RequestRateConfig config, SipHash24 hash) {
        List<LimitKey> keys = config.key();
        this.parts = keys.stream()
                .map(key -> RequestPart.of(key, config.ipv6PrefixBits()))
                .toArray(RequestPart[]::new);
        this.client = RequestPart.client(config.ipv6PrefixBits());
        this.missing = config.missing();
        this.hash = hash;
    }

    /** Returns the hash, which is never {@link #SKIPPED} or {@link #REFUSED}, or one of these two. */
    long of(PolicyExchange exchange) {
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
            int length = text.length() - start; // separates the parts
            text.append((byte) length);
            text.append((byte) (length >>> Byte.SIZE));
        }
        long key = hash.of(text.bytes(), 0, text.length());
        return key == SKIPPED || key == REFUSED ? 1 : key;
    }
}
