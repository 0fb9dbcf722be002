package io.ballast.agent.registry;

import io.ballast.core.config.agent.AgentApproval;
import io.ballast.core.config.agent.AgentToken;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.dashboard.source.AgentDirectory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** The tokens of the pools of one configuration. */
final class PoolTokens {

    private final Map<String, PoolAgents> pools;
    private final Set<String> revoked;

    /** @param revoked the hashes of revoked tokens */
    PoolTokens(Map<String, PoolAgents> pools, Set<String> revoked) {
        this.pools = pools;
        this.revoked = revoked;
    }

    /**
     * The permissions of a token.
     *
     * @param name the name of the token
     * @param pools the pools to which its agents may add backends at once
     * @param pendingPools the pools for which an operator has to approve its agents
     */
    record Permission(String name, List<String> pools, List<String> pendingPools) {

        boolean isEmpty() {
            return pools.isEmpty() && pendingPools.isEmpty();
        }
    }

    /**
     * Returns what a token permits; nothing if it is unknown, expired or revoked. All configured hashes are compared, so
     * that the duration does not depend on the token.
     */
    Permission find(String token, Instant now) {
        String hash = Hashes.sha256(token);
        String name = "";
        List<String> permitted = new ArrayList<>();
        List<String> pending = new ArrayList<>();
        for (Map.Entry<String, PoolAgents> pool : pools.entrySet()) {
            for (AgentToken each : pool.getValue().tokens()) {
                boolean isUsable =
                        each.isValidAt(now) & !revoked.contains(each.hash().hex());
                if (Hashes.isEqual(hash, each.hash().hex()) & isUsable) {
                    name = each.name();
                    boolean waits = pool.getValue().approval() == AgentApproval.MANUAL;
                    (waits ? pending : permitted).add(pool.getKey());
                }
            }
        }
        return new Permission(name, permitted, pending);
    }

    /** Returns all tokens. A token with the same name in several pools is listed once. */
    List<AgentDirectory.Token> list(Instant now, ToIntFunction<String> countAgents) {
        Map<String, List<String>> poolsByName = new LinkedHashMap<>();
        Map<String, AgentToken> byName = new LinkedHashMap<>();
        pools.forEach((pool, agents) -> agents.tokens().forEach(token -> {
            byName.putIfAbsent(token.name(), token);
            poolsByName.computeIfAbsent(token.name(), name -> new ArrayList<>()).add(pool);
        }));
        List<AgentDirectory.Token> all = new ArrayList<>();
        byName.forEach((name, token) -> all.add(new AgentDirectory.Token(
                name,
                poolsByName.getOrDefault(name, List.of()),
                token.expires(),
                status(token, now),
                countAgents.applyAsInt(name))));
        return all;
    }

    private String status(AgentToken token, Instant now) {
        if (revoked.contains(token.hash().hex())) {
            return "revoked";
        }
        return token.isValidAt(now) ? "valid" : "expired";
    }

    /** Returns the hashes of the tokens with a name. */
    List<String> hashes(String name) {
        return pools.values().stream()
                .flatMap(agents -> agents.tokens().stream())
                .filter(token -> token.name().equals(name))
                .map(token -> token.hash().hex())
                .distinct()
                .toList();
    }
}
