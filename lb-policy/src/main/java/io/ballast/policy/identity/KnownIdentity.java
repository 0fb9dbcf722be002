package io.ballast.policy.identity;

import io.ballast.http.policy.Identity;
import io.ballast.http.policy.PolicyDecision;
import io.ballast.http.policy.PolicyExchange;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * A configured identity, with the header line that sends its name to the backend. Immutable; {@link #pass}
 * allocates nothing.
 */
public final class KnownIdentity {

    private final Identity identity;
    private final byte[] line;

    /** @param header the name of the header; empty for none */
    public KnownIdentity(String name, Optional<String> header) {
        this.identity = new Identity(name);
        this.line = header.map(key -> key + ": " + name + "\r\n").orElse("").getBytes(StandardCharsets.UTF_8);
    }

    /** Lets a request pass with this identity. */
    public PolicyDecision pass(PolicyExchange exchange) {
        exchange.setIdentity(identity);
        exchange.requestLines().append(line);
        return PolicyDecision.PASS;
    }
}
