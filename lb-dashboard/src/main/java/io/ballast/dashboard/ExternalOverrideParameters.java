package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.StateOverride;
import io.ballast.dashboard.config.OverrideScope;
import io.ballast.dashboard.server.Caller;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The parameters of a request that sets an external override, from the query or the body. Unknown parameters are
 * rejected, so that a misspelt one cannot change the meaning of a request.
 *
 * @param expires a duration or a time
 * @param isConfirmed whether even the last usable backend of a pool may be taken out of service
 */
record ExternalOverrideParameters(
        String source,
        Optional<ExternalOverride.State> state,
        OptionalInt weight,
        String reason,
        Optional<String> expires,
        boolean isConfirmed) {

    private static final String SOURCE = "source";
    private static final String STATE = "state";
    private static final String WEIGHT = "weight";
    private static final String REASON = "reason";
    private static final String EXPIRES = "expires";
    private static final String CONFIRM = "confirm";

    /** The lifetime of an override if the request has no parameter {@code expires}, unless the maximum is shorter. */
    static final Duration DEFAULT_LIFETIME = Duration.ofHours(1);

    private static final Duration MIN_LIFETIME = Duration.ofSeconds(1);

    /** The source of an override if the request names none and has no authentication. */
    private static final String DEFAULT_SOURCE = "api";

    /**
     * Reads the parameters.
     *
     * @throws IllegalArgumentException if a parameter is invalid
     * @throws HttpProblem 403 if the caller's token has another source
     */
    static ExternalOverrideParameters of(Request request) {
        Map<String, String> values =
                OverrideParameters.readValues(request, Set.of(SOURCE, STATE, WEIGHT, REASON, EXPIRES, CONFIRM));
        Optional<String> weight = Optional.ofNullable(values.get(WEIGHT));
        String source = source(request.caller(), Optional.ofNullable(values.get(SOURCE)));
        return new ExternalOverrideParameters(
                source,
                Optional.ofNullable(values.get(STATE)).map(ExternalOverride.State::of),
                weight.map(text -> OptionalInt.of(OverrideParameters.weight(text)))
                        .orElse(OptionalInt.empty()),
                reason(request.caller(), source, values.getOrDefault(REASON, "")),
                Optional.ofNullable(values.get(EXPIRES)),
                OverrideParameters.parseBoolean(CONFIRM, values.getOrDefault(CONFIRM, "false")));
    }

    /** Returns the reason; if an operator acts in the name of another source, the operator's name is appended. */
    private static String reason(Caller caller, String source, String reason) {
        ExternalOverride.checkReason(reason);
        Optional<String> author =
                caller.scope().isPresent() ? Optional.empty() : caller.name().filter(name -> !name.equals(source));
        if (author.isEmpty()) {
            return reason;
        }
        String note = "(set by " + author.get() + ")";
        int space = StateOverride.MAX_REASON_LENGTH - note.length() - 1;
        int end = reason.offsetByCodePoints(0, Math.min(space, reason.codePointCount(0, reason.length())));
        return reason.isEmpty() ? note : reason.substring(0, end) + " " + note;
    }

    /** Returns the source whose override a request removes; throws like {@link #of}. */
    static String source(Request request) {
        Map<String, String> values = OverrideParameters.readValues(request, Set.of(SOURCE));
        return source(request.caller(), Optional.ofNullable(values.get(SOURCE)));
    }

    private static String source(Caller caller, Optional<String> requested) {
        requested.ifPresent(ExternalOverride::checkSource);
        Optional<String> own = caller.scope().map(OverrideScope::source);
        if (own.isPresent() && requested.isPresent() && !requested.equals(own)) {
            throw HttpProblem.of(
                    HttpResponseStatus.FORBIDDEN,
                    "source: " + requested.get() + " (expected: " + own.get() + ", the source of this token)");
        }
        return requested.or(() -> own).or(caller::name).orElse(DEFAULT_SOURCE);
    }

    /**
     * Returns the override of a backend.
     *
     * @param max the longest lifetime
     * @throws IllegalArgumentException if a parameter is invalid
     */
    ExternalOverride override(String pool, String address, Instant now, Duration max) {
        return new ExternalOverride(
                pool, address, source, state, weight, reason, now, now, now.plus(lifetime(now, max)));
    }

    private Duration lifetime(Instant now, Duration max) {
        if (expires.isEmpty()) {
            return DEFAULT_LIFETIME.compareTo(max) < 0 ? DEFAULT_LIFETIME : max;
        }
        String text = expires.get();
        Duration lifetime = parseLifetime(text, now);
        Checks.that(
                lifetime.compareTo(MIN_LIFETIME) >= 0 && lifetime.compareTo(max) <= 0,
                EXPIRES,
                text,
                DurationText.of(MIN_LIFETIME) + " to " + DurationText.of(max) + ", or a time within this range");
        return lifetime;
    }

    private static Duration parseLifetime(String text, Instant now) {
        if (!text.contains("T")) {
            return DurationText.parse(text);
        }
        try {
            return Duration.between(now, Instant.parse(text));
        } catch (DateTimeParseException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    EXPIRES + ": " + text
                            + " (expected: a duration such as 5m, or a time such as 2026-01-31T12:00:00Z)",
                    e);
        }
    }
}
