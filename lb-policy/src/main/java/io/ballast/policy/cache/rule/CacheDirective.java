package io.ballast.policy.cache.rule;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The cache directives that a shared cache understands (RFC 9111 section 5.2, RFC 5861). */
public enum CacheDirective {
    NO_STORE("no-store", /* hasSeconds= */ false),
    NO_CACHE("no-cache", /* hasSeconds= */ false),
    PRIVATE("private", /* hasSeconds= */ false),
    PUBLIC("public", /* hasSeconds= */ false),
    MUST_REVALIDATE("must-revalidate", /* hasSeconds= */ false),
    PROXY_REVALIDATE("proxy-revalidate", /* hasSeconds= */ false),
    MUST_UNDERSTAND("must-understand", /* hasSeconds= */ false),
    ONLY_IF_CACHED("only-if-cached", /* hasSeconds= */ false),
    MAX_AGE("max-age", /* hasSeconds= */ true),
    S_MAXAGE("s-maxage", /* hasSeconds= */ true),
    MIN_FRESH("min-fresh", /* hasSeconds= */ true),
    MAX_STALE("max-stale", /* hasSeconds= */ true),
    STALE_WHILE_REVALIDATE("stale-while-revalidate", /* hasSeconds= */ true),
    STALE_IF_ERROR("stale-if-error", /* hasSeconds= */ true);

    private static final Map<String, CacheDirective> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(found -> found.text, Function.identity()));

    private final String text;
    private final boolean hasSeconds;

    CacheDirective(String text, boolean hasSeconds) {
        this.text = text;
        this.hasSeconds = hasSeconds;
    }

    /** Returns the directive with this name in lower case; null if there is none. */
    static @Nullable CacheDirective of(String lowerCaseName) {
        return BY_NAME.get(lowerCaseName);
    }

    /** Whether its value is a number of seconds. Other directives take effect with any value. */
    boolean hasSeconds() {
        return hasSeconds;
    }
}
