package io.ballast.config.keys.common;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.core.config.header.HeaderField;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The headers that rules may change: all except those that the proxy itself controls. */
public final class HeaderNames {

    private static final Map<String, String> REFUSAL_HINTS = new HashMap<>();

    static {
        refuse(
                "another header; Ballast sets the message framing headers itself",
                "content-length",
                "transfer-encoding",
                "trailer",
                "expect");
        refuse(
                "an end-to-end header; this one is hop-by-hop",
                "connection",
                "keep-alive",
                "proxy-connection",
                "proxy-authenticate",
                "proxy-authorization",
                "te",
                "upgrade");
        refuse("another header; the key 'host' of the pool sets this one", "host");
        refuse(
                "another header; the key 'forwarding' of the listener controls this one",
                "x-forwarded-for",
                "x-forwarded-proto",
                "x-forwarded-host",
                "x-forwarded-port",
                "forwarded",
                "via");
        refuse("another header; the server that creates a response sets it", "date");
    }

    private HeaderNames() {}

    private static void refuse(String expected, String... names) {
        List.of(names).forEach(name -> REFUSAL_HINTS.put(name, expected));
    }

    /** Returns the reason why rules must not change this header; empty if they may change it. */
    public static Optional<String> refusal(String name) {
        try {
            String unused = changeable(name);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(ErrorText.of(e));
        }
    }

    /**
     * Returns the name if rules may change this header; otherwise throws {@link IllegalArgumentException}.
     */
    public static String changeable(String name) {
        HeaderField.checkName(name);
        String expected = REFUSAL_HINTS.get(name.toLowerCase(Locale.ROOT).replace('_', '-'));
        Checks.that(expected == null, "header", name, String.valueOf(expected));
        return name;
    }
}
