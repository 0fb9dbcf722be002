package io.ballast.net.config;

import io.ballast.core.Checks;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import java.time.Duration;
import java.util.List;

/**
 * For how long browsers must not use a host without TLS
 * (<a href="https://datatracker.ietf.org/doc/html/rfc6797">RFC 6797</a>).
 *
 * @param maxAge from the last response on; whole seconds, 0 to end it
 * @param includeSubdomains whether it holds for the host's subdomains too
 * @param preload whether browsers may have it built in
 */
public record Hsts(Duration maxAge, boolean includeSubdomains, boolean preload) {

    public static final String HEADER = "Strict-Transport-Security";

    public Hsts {
        Checks.that(!maxAge.isNegative(), "max_age", maxAge, "0s or more");
    }

    /** The value of the header. */
    public String headerValue() {
        return "max-age=" + maxAge.toSeconds() + (includeSubdomains ? "; includeSubDomains" : "")
                + (preload ? "; preload" : "");
    }

    /** The header as a rule about responses, which later rules can replace or remove. */
    public HeaderRules asRules() {
        HeaderField field = new HeaderField(HEADER, HeaderValue.parse(headerValue()));
        return new HeaderRules(HeaderChanges.NONE, new HeaderChanges(List.of(field), List.of(), List.of()));
    }
}
