package io.ballast.agent.registry;

import io.ballast.core.Checks;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that operators have created or revoked at run time, at most {@value #MAX}. Confined to the thread of the
 * registry.
 */
final class RuntimeTokens {

    /** The maximum number of tokens. */
    static final int MAX = 1_000;

    private final Map<String, RuntimeToken> byHash = new LinkedHashMap<>();

    Collection<RuntimeToken> all() {
        return byHash.values();
    }

    boolean isRevoked(String hash) {
        RuntimeToken known = byHash.get(hash);
        return known != null && known.isRevoked();
    }

    /** @throws IllegalArgumentException if there are too many tokens */
    void put(RuntimeToken token) {
        Checks.that(
                byHash.containsKey(token.hash()) || byHash.size() < MAX,
                "tokens",
                byHash.size() + " created or revoked at run time",
                "fewer than " + MAX + "; remove revoked tokens from the configuration");
        byHash.put(token.hash(), token);
    }

    /** Replaces a token with the token of the cluster; null to remove it. Returns whether something has changed. */
    boolean adopt(String hash, @Nullable RuntimeToken token) {
        Optional<RuntimeToken> before =
                Optional.ofNullable(token == null ? byHash.remove(hash) : byHash.put(hash, token));
        return !before.equals(Optional.ofNullable(token));
    }

    /** Revokes a token; returns its new state. */
    RuntimeToken revoke(String hash, String name) {
        RuntimeToken known = byHash.get(hash);
        RuntimeToken next = known == null
                ? new RuntimeToken(hash, name, List.of(), Optional.empty(), /* isRevoked= */ true)
                : known.revoked();
        put(next);
        return next;
    }

    /** Removes revocations of tokens that are in no configuration any more. */
    void retainConfigured(Collection<String> configured) {
        Set<String> known = new HashSet<>(configured);
        byHash.values().removeIf(token -> token.isRevoked() && !known.contains(token.hash()));
    }
}
