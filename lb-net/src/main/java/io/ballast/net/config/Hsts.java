package io.ballast.net.config;

import io.ballast.core.Checks;
import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderField;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.core.config.header.HeaderValue;
import java.time.Duration;
import java.util.List;

/**
 * How long browsers must use TLS for a host: the HSTS policy
 * (<a href="https://datatracker.ietf.org/doc/html/rfc6797">RFC 6797</a>).
 *
 * @param maxAge the time after the last response, in whole seconds; 0 to end the policy
 * @param includeSubdomains whether the policy also applies to the host's subdomains
 * @param preload whether browsers may include the host in their built-in list
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

    /** The header as a rule for responses; later rules can replace or remove it. */
    public HeaderRules toHeaderRules() {
        HeaderField field = new HeaderField(HEADER, HeaderValue.parse(headerValue()));
        return new HeaderRules(HeaderChanges.NONE, new HeaderChanges(List.of(field), List.of(), List.of()));
    }
}
