package io.ballast.acme.schedule;

import io.ballast.acme.state.FailureState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The failed orders of one name at each issuer, and the choice of the next issuer. Issuers are tried in order of
 * preference. An issuer that waits after a failure is skipped, unless {@link FailureState#passesOn} is false: then the
 * order waits for this issuer.
 *
 * <p>Confined to one thread.
 */
final class IssuerFailures {

    private final Map<String, FailureState> states = new LinkedHashMap<>();

    /**
     * @param issuers the names of the issuers in order of preference; at least one
     * @param stored returns the stored failures at an issuer
     */
    IssuerFailures(List<String> issuers, Function<String, FailureState> stored) {
        issuers.forEach(issuer -> states.put(issuer, stored.apply(issuer)));
    }

    IssuerFailures copy() {
        return new IssuerFailures(issuers(), this::of);
    }

    List<String> issuers() {
        return List.copyOf(states.keySet());
    }

    FailureState of(String issuer) {
        return states.getOrDefault(issuer, FailureState.NONE);
    }

    void set(String issuer, FailureState next) {
        states.put(issuer, next);
    }

    /** The earliest time at which an issuer can be tried. */
    Instant retryAt() {
        Instant earliest = Instant.MAX;
        for (FailureState state : states.values()) {
            if (state.retryAt().isBefore(earliest)) {
                earliest = state.retryAt();
            }
            if (!state.passesOn()) {
                break;
            }
        }
        return earliest;
    }

    /**
     * Returns the issuer to try now; empty if all must wait.
     *
     * @param isUnreachable whether an issuer could recently not be reached; it is tried only if no other issuer can be
     *     tried
     */
    Optional<String> next(Instant now, Predicate<String> isUnreachable) {
        Optional<String> unreachable = Optional.empty();
        for (Map.Entry<String, FailureState> each : states.entrySet()) {
            boolean isDue = !each.getValue().retryAt().isAfter(now);
            if (isDue && !isUnreachable.test(each.getKey())) {
                return Optional.of(each.getKey());
            }
            if (isDue && unreachable.isEmpty()) {
                unreachable = Optional.of(each.getKey());
            }
            if (!isDue && !each.getValue().passesOn()) {
                break;
            }
        }
        return unreachable;
    }
}
