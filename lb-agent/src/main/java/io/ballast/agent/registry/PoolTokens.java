package io.ballast.agent.registry;

import io.ballast.core.config.agent.AgentApproval;
import io.ballast.core.config.agent.AgentToken;
import io.ballast.core.config.agent.PoolAgents;
import io.ballast.dashboard.source.AgentDirectory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** The tokens of the pools of one configuration, and the tokens that were created or revoked at run time. */
final class PoolTokens {

    private static final String VALID = "valid";
    private static final String EXPIRED = "expired";
    private static final String REVOKED = "revoked";

    private final Map<String, PoolAgents> pools;
    private final RuntimeTokens runtime;

    PoolTokens(Map<String, PoolAgents> pools, RuntimeTokens runtime) {
        this.pools = pools;
        this.runtime = runtime;
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
     * Returns the permissions of a token; empty if it is unknown, expired or revoked. All configured hashes are
     * compared, so that the duration does not depend on the token.
     */
    @SuppressWarnings("ShortCircuitBoolean") // a short circuit would make the duration depend on the token
    Permission find(String token, Instant now) {
        String hash = Hashes.sha256(token);
        String name = "";
        Set<String> permitted = new LinkedHashSet<>();
        Set<String> pending = new LinkedHashSet<>();
        for (RuntimeToken each : runtime.all()) {
            if (Hashes.isEqual(hash, each.hash()) & each.isValidAt(now)) {
                name = each.name();
                for (String pool : each.pools()) {
                    PoolAgents settings = pools.get(pool);
                    if (settings != null) {
                        (waits(settings) ? pending : permitted).add(pool);
                    }
                }
            }
        }
        for (Map.Entry<String, PoolAgents> pool : pools.entrySet()) {
            for (AgentToken each : pool.getValue().tokens()) {
                boolean isUsable =
                        each.isValidAt(now) & !runtime.isRevoked(each.hash().hex());
                if (Hashes.isEqual(hash, each.hash().hex()) & isUsable) {
                    name = each.name();
                    (waits(pool.getValue()) ? pending : permitted).add(pool.getKey());
                }
            }
        }
        return new Permission(name, List.copyOf(permitted), List.copyOf(pending));
    }

    private static boolean waits(PoolAgents pool) {
        return pool.approval() == AgentApproval.MANUAL;
    }

    /** Returns all tokens. A token with the same name in several pools is listed once. */
    List<AgentDirectory.Token> list(Instant now, ToIntFunction<String> countAgents) {
        Map<String, Listed> byName = new LinkedHashMap<>();
        pools.forEach((pool, agents) -> agents.tokens()
                .forEach(token -> byName.computeIfAbsent(
                                token.name(),
                                name -> new Listed(token.expires(), status(token, now), new LinkedHashSet<>()))
                        .pools()
                        .add(pool)));
        runtime.all().stream()
                .filter(token -> !token.pools().isEmpty())
                .forEach(token -> byName.computeIfAbsent(
                                token.name(),
                                name -> new Listed(token.expires(), status(token, now), new LinkedHashSet<>()))
                        .pools()
                        .addAll(token.pools()));
        List<AgentDirectory.Token> all = new ArrayList<>();
        byName.forEach((name, token) -> all.add(new AgentDirectory.Token(
                name,
                List.copyOf(token.pools()),
                token.expires(),
                token.status(),
                countAgents.applyAsInt(name),
                /* isCommitted= */ true)));
        return all;
    }

    private record Listed(Optional<Instant> expires, String status, Set<String> pools) {}

    private String status(AgentToken token, Instant now) {
        if (runtime.isRevoked(token.hash().hex())) {
            return REVOKED;
        }
        return token.isValidAt(now) ? VALID : EXPIRED;
    }

    private static String status(RuntimeToken token, Instant now) {
        if (token.isRevoked()) {
            return REVOKED;
        }
        return token.isValidAt(now) ? VALID : EXPIRED;
    }

    /** Returns the hashes of the tokens with a name. */
    List<String> hashes(String name) {
        Stream<String> created = runtime.all().stream()
                .filter(token -> token.name().equals(name) && !token.pools().isEmpty())
                .map(RuntimeToken::hash);
        Stream<String> configured = pools.values().stream()
                .flatMap(agents -> agents.tokens().stream())
                .filter(token -> token.name().equals(name))
                .map(token -> token.hash().hex());
        return Stream.concat(configured, created).distinct().toList();
    }

    /** Returns the hashes of all tokens in the configuration. */
    List<String> configured() {
        return pools.values().stream()
                .flatMap(agents -> agents.tokens().stream())
                .map(token -> token.hash().hex())
                .toList();
    }
}
