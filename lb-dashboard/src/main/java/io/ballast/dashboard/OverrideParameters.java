package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.pool.Membership;
import io.ballast.dashboard.document.OverrideJson;
import io.ballast.dashboard.server.Caller;
import io.ballast.dashboard.server.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a command, from the query or the body: {@code who}, {@code why} and, depending on the
 * command, {@code until} (a duration), {@code confirm}, {@code weight} and {@code deadline}. Unknown
 * parameters are rejected, so that a misspelt one cannot change the meaning of a command.
 */
record OverrideParameters(
        String who,
        String why,
        Optional<Duration> until,
        boolean isConfirmed,
        Optional<String> weight,
        Optional<Duration> deadline,
        Optional<Boolean> backup,
        Optional<String> address) {

    private static final String WHO = "who";
    private static final String WHY = "why";
    private static final String UNTIL = "until";
    private static final String CONFIRM = "confirm";
    private static final String WEIGHT = "weight";
    private static final String DEADLINE = "deadline";
    private static final String BACKUP = "backup";
    private static final String ADDRESS = "address";

    /** The value of {@code weight} that restores the configured weight. */
    private static final String CONFIGURED_WEIGHT = "file";

    private static final Duration MIN_DURATION = Duration.ofSeconds(1);

    private static final String EXPECTED_WEIGHT = "0 to " + BackendConfig.MAX_WEIGHT + ", or " + CONFIGURED_WEIGHT;

    /** The operator name of an override if the request has no parameter {@code who}. */
    private static final String DEFAULT_WHO = "api";

    /** Reads the parameters of an override. Throws {@link IllegalArgumentException} if a parameter is invalid. */
    static OverrideParameters ofStateOverride(StateOverride.Kind kind, Request request) {
        return of(
                request,
                kind == StateOverride.Kind.DRAIN
                        ? Set.of(WHO, WHY, UNTIL, CONFIRM, DEADLINE)
                        : Set.of(WHO, WHY, UNTIL, CONFIRM));
    }

    /** Reads the parameters of a command that ends an override. */
    static OverrideParameters ofOverrideEnd(Request request) {
        return of(request, Set.of(WHO, WHY));
    }

    /** Reads the parameters of a command that starts or ends the maintenance of a pool. */
    static OverrideParameters ofMaintenance(Request request) {
        return of(request, Set.of(WHO, WHY, UNTIL));
    }

    /** Reads the parameters of a weight override; the weight is required. */
    static OverrideParameters ofWeight(Request request) {
        OverrideParameters parameters = of(request, Set.of(WHO, WHY, UNTIL, CONFIRM, WEIGHT));
        Checks.that(parameters.weight.isPresent(), WEIGHT, "none", EXPECTED_WEIGHT);
        return parameters;
    }

    /** Reads the parameters of a new backend: the address is required, weight and backup flag are optional. */
    static OverrideParameters ofAddition(Request request) {
        return of(request, Set.of(WHO, WHY, ADDRESS, WEIGHT, BACKUP));
    }

    /** Reads the parameters of a request that changes a backend. Requires a weight or a backup flag. */
    static OverrideParameters ofSettings(Request request) {
        OverrideParameters parameters = of(request, Set.of(WHO, WHY, CONFIRM, WEIGHT, BACKUP));
        Checks.that(
                parameters.weight.isPresent() || parameters.backup.isPresent(),
                "parameters",
                "none",
                "weight or backup");
        return parameters;
    }

    /** Reads the parameters that remove a backend. */
    static OverrideParameters ofRemoval(Request request) {
        return of(request, Set.of(WHO, WHY, CONFIRM));
    }

    /**
     * Reads the parameters of a request that discards operators' changes: to one backend if an address is given,
     * otherwise to the whole pool.
     */
    static OverrideParameters ofReset(Request request) {
        return of(request, Set.of(WHO, WHY, CONFIRM, ADDRESS));
    }

    private static OverrideParameters of(Request request, Set<String> known) {
        Map<String, String> values = readValues(request, known);
        Optional<String> requested = Optional.ofNullable(values.get(WHO));
        requested.ifPresent(text -> StateOverride.checkTexts(text, /* why= */ ""));
        String who = who(request.caller(), requested);
        String why = values.getOrDefault(WHY, "");
        StateOverride.checkTexts(who, why);
        return new OverrideParameters(
                who,
                why,
                Optional.ofNullable(values.get(UNTIL)).map(text -> parseDuration(UNTIL, text)),
                parseBoolean(CONFIRM, values.getOrDefault(CONFIRM, "false")),
                Optional.ofNullable(values.get(WEIGHT)),
                Optional.ofNullable(values.get(DEADLINE)).map(text -> parseDuration(DEADLINE, text)),
                Optional.ofNullable(values.get(BACKUP)).map(text -> parseBoolean(BACKUP, text)),
                Optional.ofNullable(values.get(ADDRESS)));
    }

    /** Returns the author of a command. The caller parses the other parameters of the command. */
    static String who(Request request) {
        Optional<String> requested = QueryParameters.value(request, WHO);
        requested.ifPresent(text -> StateOverride.checkTexts(text, /* why= */ ""));
        String who = who(request.caller(), requested);
        StateOverride.checkTexts(who, /* why= */ "");
        return who;
    }

    static boolean parseBoolean(String name, String text) {
        Checks.that(text.equals("true") || text.equals("false"), name, "invalid value", "true or false");
        return text.equals("true");
    }

    /**
     * Returns the author of a command. The authenticated name comes first. A different {@code who} is appended if
     * the result does not exceed the maximum length.
     */
    private static String who(Caller caller, Optional<String> requested) {
        if (caller.name().isEmpty()) {
            return requested.orElse(DEFAULT_WHO);
        }
        String name = caller.name().get();
        return requested
                .filter(other -> !other.equals(name))
                .map(other -> name + " for " + other)
                .filter(both -> both.length() <= StateOverride.MAX_AUTHOR_LENGTH)
                .orElse(name);
    }

    /**
     * Reads the parameters from the query and the body. Throws {@link IllegalArgumentException} for a parameter that is
     * not in {@code known}, or that occurs twice.
     */
    static Map<String, String> readValues(Request request, Set<String> known) {
        Map<String, String> values = new LinkedHashMap<>();
        request.query().forEach((name, all) -> {
            Checks.that(all.size() == 1, name, all.size() + " values", "one");
            values.put(name, all.get(0));
        });
        if (request.body().length > 0) {
            OverrideJson.read(request.body()).forEach((name, value) -> {
                String before = values.put(name, value);
                Checks.that(before == null, name, "given in the query and in the body", "in only one of them");
            });
        }
        values.keySet().forEach(name -> Checks.that(known.contains(name), "parameter", name, "one of " + known));
        return values;
    }

    private static Duration parseDuration(String name, String text) {
        Duration duration = DurationText.parse(text);
        Checks.that(
                duration.compareTo(MIN_DURATION) >= 0 && duration.compareTo(StateOverride.MAX_DURATION) <= 0,
                name,
                text,
                DurationText.of(MIN_DURATION) + " to " + DurationText.of(StateOverride.MAX_DURATION));
        return duration;
    }

    StateOverride stateOverride(StateOverride.Kind kind, Instant now) {
        return new StateOverride(kind, terms(now), deadline.map(now::plus));
    }

    /** Returns the weight override; empty to restore the configured weight. */
    Optional<WeightOverride> weight(Instant now) {
        return weight.filter(text -> !text.equals(CONFIGURED_WEIGHT))
                .map(text -> new WeightOverride(weight(text), terms(now)));
    }

    static int weight(String text) {
        Checks.that(text.matches("[0-9]{1,9}"), WEIGHT, text, EXPECTED_WEIGHT);
        return Integer.parseInt(text);
    }

    /** Returns the requested settings of a backend. */
    Membership.Settings settings() {
        return new Membership.Settings(weight.map(OverrideParameters::weight), backup);
    }

    /** Returns author and reason as one text. */
    String authorAndReason() {
        return StateOverride.authorAndReason(who, why);
    }

    OverrideTerms terms(Instant now) {
        return new OverrideTerms(who, why, now, until.map(now::plus));
    }
}
