package io.ballast.core.config;

import java.util.List;

/**
 * The requests that may be sent again after a backend received them.
 *
 * @param kind the rule
 * @param names the methods for {@link Kind#LISTED}
 */
public record RetryMethods(Kind kind, List<String> names) {

    /** The rule that selects the methods. */
    public enum Kind {
        /** Idempotent methods (RFC 9110 section 9.2.2). */
        IDEMPOTENT,
        ALL,
        LISTED
    }

    public static final RetryMethods IDEMPOTENT = new RetryMethods(Kind.IDEMPOTENT, List.of());
    public static final RetryMethods ALL = new RetryMethods(Kind.ALL, List.of());

    public RetryMethods {
        names = List.copyOf(names);
    }

    public static RetryMethods of(List<String> names) {
        return new RetryMethods(Kind.LISTED, names);
    }

    /** Whether a request with this method may be sent again. */
    public boolean covers(String method, boolean idempotent) {
        return switch (kind) {
            case IDEMPOTENT -> idempotent;
            case ALL -> true;
            case LISTED -> names.contains(method);
        };
    }
}
