package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.config.agent.AgentToken;
import io.ballast.core.config.agent.AgentTokenHash;
import io.ballast.dashboard.server.Request;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The parameters of a request that creates a token for agents: its hash, its pools, and when it expires. Commas separate
 * the names of several pools. The token itself is never sent.
 */
record NewTokenParameters(AgentTokenHash hash, List<String> pools, Optional<Instant> expires) {

    private static final String HASH = "hash";
    private static final String POOL = "pool";
    private static final String EXPIRES = "expires";
    private static final int MAX_POOLS_LENGTH = 1_000;

    /** Throws {@link IllegalArgumentException} if a parameter is missing, unknown or invalid. */
    static NewTokenParameters of(Request request) {
        Map<String, String> values = OverrideParameters.readValues(request, Set.of("who", HASH, POOL, EXPIRES));
        String hash = values.getOrDefault(HASH, "");
        Checks.that(!hash.isEmpty(), HASH, "none", AgentTokenHash.PREFIX + " and 64 hexadecimal digits");
        String pools = values.getOrDefault(POOL, "");
        Checks.that(!pools.isEmpty(), POOL, "none", "the names of pools");
        Checks.that(
                pools.length() <= MAX_POOLS_LENGTH,
                POOL,
                pools.length() + " characters",
                "at most " + MAX_POOLS_LENGTH);
        return new NewTokenParameters(
                AgentTokenHash.parse(hash),
                List.of(pools.split(",")),
                Optional.ofNullable(values.get(EXPIRES)).map(NewTokenParameters::time));
    }

    /** Returns the name of the token, which is in the path of the request. */
    static String name(Request request) {
        String name = request.parameter("token");
        Checks.that(name.matches(AgentToken.NAME_PATTERN), "token", name, "at most 32 letters, digits and . _ - @");
        return name;
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    EXPIRES + ": " + text + " (expected: a time such as 2027-01-31T12:00:00Z)", e);
        }
    }
}
