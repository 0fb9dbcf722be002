package io.ballast.agent.registry;

import io.ballast.core.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An agent that has registered: its id, and the hash of the secret that belongs to it. Immutable. The nodes of a
 * cluster exchange it unchanged.
 *
 * @param id the id that the agent has chosen
 * @param secretHash the SHA-256 of its secret, as 64 hexadecimal digits
 * @param token the name of the token with which it registered last
 * @param pools the pools to which it may add backends
 * @param pendingPools the pools for which an operator has not approved it yet
 * @param isRevoked whether an operator has revoked it
 * @param created when it registered for the first time
 * @param used when it last registered or reported; at most {@link #USE_PRECISION} older than the last report
 */
public record AgentIdentity(
        String id,
        String secretHash,
        String token,
        List<String> pools,
        List<String> pendingPools,
        boolean isRevoked,
        Instant created,
        Instant used) {

    /**
     * A report changes {@link #used} only if the previous value is at least this old, so that few reports change the
     * identity.
     */
    static final Duration USE_PRECISION = Duration.ofDays(1);

    /** The syntax of an id. */
    public static final String ID_PATTERN = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";

    private static final Pattern ID = Pattern.compile(ID_PATTERN);
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    public AgentIdentity {
        Checks.that(
                ID.matcher(id).matches(),
                "id",
                id.length() + " characters",
                "1 to 63 letters, digits and . _ -, beginning with a letter or digit");
        Checks.that(
                HASH.matcher(secretHash).matches(),
                "secret_sha256",
                secretHash.length() + " characters",
                "64 hexadecimal digits in lower case");
        pools = List.copyOf(pools);
        pendingPools = List.copyOf(pendingPools);
    }

    /** Returns the state: {@code approved}, {@code pending} or {@code revoked}. */
    public String status() {
        if (isRevoked) {
            return "revoked";
        }
        return pools.isEmpty() ? "pending" : "approved";
    }

    /** Returns a copy with further pools. */
    AgentIdentity with(String otherToken, List<String> morePools, List<String> morePending) {
        Set<String> all = new LinkedHashSet<>(pools);
        all.addAll(morePools);
        Set<String> waiting = new LinkedHashSet<>(pendingPools);
        waiting.addAll(morePending);
        waiting.removeAll(all);
        return new AgentIdentity(
                id, secretHash, otherToken, List.copyOf(all), List.copyOf(waiting), isRevoked, created, used);
    }

    AgentIdentity approved() {
        AgentIdentity next = with(token, pendingPools, List.of());
        return new AgentIdentity(id, secretHash, token, next.pools, List.of(), /* isRevoked= */ false, created, used);
    }

    AgentIdentity revoked() {
        return new AgentIdentity(id, secretHash, token, pools, pendingPools, /* isRevoked= */ true, created, used);
    }

    AgentIdentity withSecret(String otherHash) {
        return new AgentIdentity(id, otherHash, token, pools, pendingPools, isRevoked, created, used);
    }

    /** Returns whether {@link #used} should be updated at {@code now}. */
    boolean isUseOutdated(Instant now) {
        return Duration.between(used, now).compareTo(USE_PRECISION) >= 0;
    }

    AgentIdentity usedAt(Instant now) {
        return new AgentIdentity(id, secretHash, token, pools, pendingPools, isRevoked, created, now);
    }

    /**
     * Merges the identities of two nodes that registered the same agent while they were not connected. A revocation has
     * precedence. If the secrets differ, {@code committed} wins: the id belongs to the secret that was registered
     * first.
     *
     * @param committed the identity on which the cluster has agreed
     */
    public AgentIdentity mergedInto(AgentIdentity committed) {
        if (!committed.secretHash.equals(secretHash)) {
            return committed;
        }
        AgentIdentity all = committed.with(token, pools, pendingPools);
        boolean isNewer = used.isAfter(committed.used.plus(USE_PRECISION));
        return new AgentIdentity(
                id,
                secretHash,
                committed.token,
                all.pools,
                all.pendingPools,
                isRevoked || committed.isRevoked,
                committed.created,
                isNewer ? used : committed.used);
    }
}
