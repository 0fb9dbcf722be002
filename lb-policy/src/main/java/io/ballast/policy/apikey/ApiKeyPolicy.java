package io.ballast.policy.apikey;

import io.ballast.http.bytes.ByteAppender;
import io.ballast.http.policy.Phase;
import io.ballast.http.policy.Policy;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.policy.Refusal;
import io.ballast.http.route.request.RoutedRequest;
import io.ballast.policy.config.ApiKeysConfig;
import io.ballast.policy.config.ApiKeysConfig.Source;
import io.ballast.policy.identity.KnownIdentity;
import io.ballast.policy.identity.SingleHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Authenticates requests by API keys, and refuses requests without a valid key with 401. The consumer that owns the key
 * becomes the identity of the request. Immutable. Cost: one SHA-256 and one comparison; allocates nothing.
 */
public final class ApiKeyPolicy implements Policy {

    private static final Refusal NO_KEY = new Refusal(401, "no_api_key", "an API key is required");
    private static final Refusal UNKNOWN_KEY = new Refusal(401, "unknown_api_key", "the API key is not known");

    /**
     * The challenge of a 401 response. No registered authentication scheme describes API keys, so the name is that of
     * the gateway Kong.
     */
    private static final byte[] CHALLENGE = "WWW-Authenticate: Key\r\n".getBytes(StandardCharsets.US_ASCII);

    private final KeyReader reader;
    private final KeyTable keys;
    private final List<String> requestHeaders = new ArrayList<>();
    private final List<String> credentialHeaders;

    /** Appends the key of a request to the target; returns false if the request does not have exactly one key. */
    private interface KeyReader {
        boolean append(RoutedRequest request, ByteAppender target);
    }

    public ApiKeyPolicy(ApiKeysConfig config) {
        Source source = config.source();
        this.reader = source.place() == Source.Place.HEADER
                ? header(new SingleHeader(source.name()))
                : new QueryParameter(source.name())::append;
        this.keys = new KeyTable(config.keys(), config.header());
        config.header().ifPresent(requestHeaders::add);
        boolean hidden = source.place() == Source.Place.HEADER && !config.forwardCredentials();
        this.credentialHeaders = hidden ? List.of(source.name()) : List.of();
    }

    private static KeyReader header(SingleHeader header) {
        return (request, target) -> {
            int line = header.line(request);
            if (line == SingleHeader.NONE) {
                return false;
            }
            target.append(request.bytes(), request.headerStart(line), request.headerEnd(line));
            return target.length() > 0;
        };
    }

    @Override
    public Phase phase() {
        return Phase.IDENTITY;
    }

    @Override
    public PolicyDecision evaluate(PolicyExchange exchange, int step) {
        ByteAppender key = exchange.scratch();
        key.clear();
        if (!reader.append(exchange.request(), key)) {
            exchange.responseLines().append(CHALLENGE);
            return NO_KEY;
        }
        KnownIdentity consumer = keys.find(Sha256.of(key.bytes(), 0, key.length()));
        key.clear();
        if (consumer == null) {
            exchange.responseLines().append(CHALLENGE);
            return UNKNOWN_KEY;
        }
        return consumer.pass(exchange);
    }

    @Override
    public List<String> requestHeaders() {
        return requestHeaders;
    }

    @Override
    public List<String> credentialHeaders() {
        return credentialHeaders;
    }
}
