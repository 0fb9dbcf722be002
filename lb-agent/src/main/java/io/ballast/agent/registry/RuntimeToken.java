package io.ballast.agent.registry;

import io.ballast.core.Checks;
import io.ballast.core.config.agent.AgentToken;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A token that operators have created or revoked at run time. Immutable. The nodes of a cluster exchange it unchanged.
 *
 * @param hash the SHA-256 of the token, as 64 hexadecimal digits in lower case
 * @param name the name in lists and in the timeline
 * @param pools the pools for which agents can register with it; empty for a token of the configuration
 * @param expires the time at which the token expires; absent if it never expires
 * @param isRevoked whether it was revoked
 */
public record RuntimeToken(String hash, String name, List<String> pools, Optional<Instant> expires, boolean isRevoked) {

    /** The maximum number of pools of a token. */
    public static final int MAX_POOLS = 100;

    public RuntimeToken {
        Checks.that(
                hash.matches("[0-9a-f]{64}"),
                "hash",
                hash.length() + " characters",
                "64 hexadecimal digits in lower case");
        Checks.that(name.matches(AgentToken.NAME_PATTERN), "name", name, "at most 32 letters, digits and . _ - @");
        pools = List.copyOf(pools);
        Checks.between(pools.size(), 0, MAX_POOLS, "pools");
    }

    boolean isValidAt(Instant now) {
        return !isRevoked && (expires.isEmpty() || now.isBefore(expires.get()));
    }

    RuntimeToken revoked() {
        return new RuntimeToken(hash, name, pools, expires, /* isRevoked= */ true);
    }
}
