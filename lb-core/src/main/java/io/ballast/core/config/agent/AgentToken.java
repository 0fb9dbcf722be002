package io.ballast.core.config.agent;

import java.time.Instant;
import java.util.Optional;

/**
 * A token with which agents register for a pool for the first time.
 *
 * @param name the name in lists and in the timeline
 * @param hash the hash of the token
 * @param expires the time at which the token expires; absent if it never expires. Agents that registered before this
 *     time stay registered
 */
public record AgentToken(String name, AgentTokenHash hash, Optional<Instant> expires) {

    /** The syntax of a name. */
    public static final String NAME_PATTERN = "[A-Za-z0-9_][A-Za-z0-9_.@-]{0,31}";

    /** Returns whether agents may use the token at {@code now}. */
    public boolean isValidAt(Instant now) {
        return expires.isEmpty() || now.isBefore(expires.get());
    }
}
