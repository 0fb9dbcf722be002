package io.ballast.replication;

import io.ballast.cluster.secret.SecretKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The secrets that the nodes of a cluster share. Immutable.
 *
 * @param byKind the secrets of each kind as hexadecimal digits; the first secret creates cookies or tickets, and all
 *     secrets verify them; never printed
 */
public record SharedSecrets(Map<SecretKind, List<String>> byKind) {

    public static final SharedSecrets NONE = new SharedSecrets(Map.of());

    public SharedSecrets {
        byKind = Map.copyOf(byKind);
    }

    /** Returns the secrets of a kind; empty if the cluster has none yet. */
    public List<String> of(SecretKind kind) {
        return byKind.getOrDefault(kind, List.of());
    }

    /** Returns a copy in which the kinds of {@code newer} are replaced. */
    SharedSecrets with(SharedSecrets newer) {
        Map<SecretKind, List<String>> next = new LinkedHashMap<>(byKind);
        next.putAll(newer.byKind);
        return new SharedSecrets(next);
    }

    @Override
    public String toString() {
        return "SharedSecrets" + byKind.keySet();
    }
}
