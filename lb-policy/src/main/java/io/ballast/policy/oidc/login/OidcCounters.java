package io.ballast.policy.oidc.login;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the results of logins, refreshes and logouts. Thread safety: all methods may be called concurrently. */
public final class OidcCounters {

    /** A counted result. */
    public enum Result {
        LOGIN_STARTED,
        LOGIN_COMPLETED,
        LOGIN_FAILED,
        REFRESHED,
        REFRESH_FAILED,
        LOGGED_OUT
    }

    private final LongAdder[] counters = new LongAdder[Result.values().length];

    public OidcCounters() {
        Arrays.setAll(counters, result -> new LongAdder());
    }

    public void count(Result result) {
        counters[result.ordinal()].increment();
    }

    /** Returns the counts by the name of the result, in lower case. */
    public Map<String, Long> sums() {
        Map<String, Long> sums = new LinkedHashMap<>();
        for (Result result : Result.values()) {
            sums.put(result.name().toLowerCase(Locale.ROOT), counters[result.ordinal()].sum());
        }
        return sums;
    }
}
