package io.ballast.http.config;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** A header that describes the client to backends. */
public enum ForwardingHeader {
    X_FORWARDED_FOR,
    X_FORWARDED_PROTO,
    X_FORWARDED_HOST,
    X_FORWARDED_PORT,
    /** The {@code Forwarded} header (RFC 7239), a standard replacement for three of the X-Forwarded headers. */
    FORWARDED,
    /**
     * The {@code Via} header (RFC 9110 section 7.6.3). Our value is always appended to the values of earlier
     * proxies, even if the other headers of these proxies are not trusted.
     */
    VIA;

    /**
     * The headers that are sent by default, because applications read them. {@link #VIA} is not included:
     * backends such as nginx do not compress responses to requests with this header.
     */
    public static final Set<ForwardingHeader> DEFAULT =
            Collections.unmodifiableSet(EnumSet.of(X_FORWARDED_FOR, X_FORWARDED_PROTO, X_FORWARDED_HOST));

    /** The name of the header in lower case. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
