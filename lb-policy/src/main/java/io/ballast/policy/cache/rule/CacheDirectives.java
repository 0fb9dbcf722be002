package io.ballast.policy.cache.rule;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The directives of a {@code Cache-Control} field (RFC 9111 section 5.2), or of a targeted field (RFC 9213). Unknown
 * directives are ignored. {@code no-cache} and {@code private} with field names are treated like the same directives
 * without field names. Immutable.
 */
public final class CacheDirectives {

    /** The result of {@link #seconds} for a directive that is missing. */
    public static final int ABSENT = -1;

    /** The greatest number of seconds; greater numbers are reduced to this one (RFC 9111 section 1.2.2). */
    public static final int MAX_SECONDS = Integer.MAX_VALUE;

    /** Contains no directives. */
    public static final CacheDirectives NONE = new Builder().build();

    private final Set<CacheDirective> present;
    private final int[] seconds;

    private CacheDirectives(Set<CacheDirective> present, int[] seconds) {
        this.present = present;
        this.seconds = seconds;
    }

    /** Parses the values of all lines of a {@code Cache-Control} field. */
    public static CacheDirectives parse(List<String> values) {
        if (values.isEmpty()) {
            return NONE;
        }
        Builder builder = new Builder();
        for (String value : values) {
            for (String element : ListElements.of(value)) {
                builder.addElement(element);
            }
        }
        return builder.build();
    }

    public boolean has(CacheDirective directive) {
        return present.contains(directive);
    }

    /** The seconds of a directive; {@link #ABSENT} if it is missing. */
    public int seconds(CacheDirective directive) {
        return seconds[directive.ordinal()];
    }

    public boolean isEmpty() {
        return present.isEmpty();
    }

    /** Collects directives. */
    static final class Builder {

        private final Set<CacheDirective> present = EnumSet.noneOf(CacheDirective.class);
        private final int[] seconds = new int[CacheDirective.values().length];

        Builder() {
            Arrays.fill(seconds, ABSENT);
        }

        /** Adds {@code name}, {@code name=token} or {@code name="text"}. */
        void addElement(String element) {
            int equals = element.indexOf('=');
            String name = equals < 0 ? element : element.substring(0, equals);
            CacheDirective directive = CacheDirective.of(name.toLowerCase(Locale.ROOT));
            if (directive == null) {
                return;
            }
            if (!directive.hasSeconds()) {
                present.add(directive);
            } else if (equals < 0) {
                // max-stale without a number accepts a response of any staleness (RFC 9111 section 5.2.1.2)
                addSeconds(directive, directive == CacheDirective.MAX_STALE ? MAX_SECONDS : 0);
            } else {
                addSeconds(directive, parseSeconds(ListElements.unquote(element.substring(equals + 1))));
            }
        }

        void add(CacheDirective directive) {
            present.add(directive);
        }

        /** Replaces an earlier value. */
        void setSeconds(CacheDirective directive, int value) {
            present.add(directive);
            seconds[directive.ordinal()] = value;
        }

        /** Adds a number. If a directive occurs with two numbers, the response is stale (RFC 9111 section 4.2.1). */
        private void addSeconds(CacheDirective directive, int value) {
            int before = seconds[directive.ordinal()];
            boolean contradicts = present.contains(directive) && before != value;
            setSeconds(directive, contradicts ? 0 : value);
        }

        CacheDirectives build() {
            return new CacheDirectives(present, seconds);
        }
    }

    /**
     * Parses a number of seconds; anything else counts as 0, so that the response is stale (RFC 9111 section 4.2.1).
     */
    private static int parseSeconds(String text) {
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return 0;
            }
            value = Math.min(MAX_SECONDS, value * 10 + digit - '0');
        }
        return (int) value;
    }
}
