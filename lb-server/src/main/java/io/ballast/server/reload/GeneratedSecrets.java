package io.ballast.server.reload;

import io.ballast.cluster.secret.SecretKind;
import io.ballast.config.BallastConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.StickyKey;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcSecret;
import io.ballast.replication.SecretStateFile;
import io.ballast.replication.SharedSecrets;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The secrets of sticky pools and {@code oidc} policies for which the configuration has none. The secrets come from the
 * cluster or from files of this node. Confined to the thread that changes the configuration, except for {@link
 * #addMissing}.
 */
public final class GeneratedSecrets {

    /** All generated keys that the configuration of this process can contain. All other keys come from the user. */
    private final Set<List<StickyKey>> stickyKeys = new HashSet<>();

    private final Set<List<OidcSecret>> oidcSecrets = new HashSet<>();

    /** @param config a configuration to which generated secrets were already added */
    public GeneratedSecrets(BallastConfig config) {
        stickyKeys.add(List.of());
        oidcSecrets.add(List.of());
        StickyKeyFile.find(config.dataDir()).ifPresent(key -> stickyKeys.add(List.of(key)));
        OidcSecretFile.find(config.dataDir()).ifPresent(secret -> oidcSecrets.add(List.of(secret)));
        addGenerated(SecretStateFile.read(config, Instant.now()));
    }

    private void addGenerated(SharedSecrets secrets) {
        stickyKeys.add(sticky(secrets));
        oidcSecrets.add(oidc(secrets));
    }

    /** Returns a copy of the configuration with a secret for each pool and policy that needs one and has none. */
    public static BallastConfig addMissing(BallastConfig config) {
        SharedSecrets shared = SecretStateFile.read(config, Instant.now());
        BallastConfig withShared = replace(config, shared, Set.of(List.of()), Set.of(List.of()));
        return OidcSecretFile.addMissingSecrets(StickyKeyFile.addMissingKeys(withShared));
    }

    /** Returns a copy of the configuration in which generated secrets are replaced by the secrets of the cluster. */
    public BallastConfig replace(BallastConfig config, SharedSecrets shared) {
        BallastConfig replaced = replace(config, shared, stickyKeys, oidcSecrets);
        addGenerated(shared);
        return replaced;
    }

    private static BallastConfig replace(
            BallastConfig config,
            SharedSecrets shared,
            Set<List<StickyKey>> replacedKeys,
            Set<List<OidcSecret>> replacedSecrets) {
        List<StickyKey> keys = sticky(shared);
        List<OidcSecret> secrets = oidc(shared);
        Map<String, PoolConfig> pools = new LinkedHashMap<>(config.pools());
        Map<String, PolicyConfig> policies = new LinkedHashMap<>(config.policies());
        if (!keys.isEmpty()) {
            pools.replaceAll((name, pool) -> withKeys(pool, keys, replacedKeys));
        }
        if (!secrets.isEmpty()) {
            policies.replaceAll((name, policy) -> withSecrets(policy, secrets, replacedSecrets));
        }
        return config.withPools(pools).withPolicies(policies);
    }

    private static PoolConfig withKeys(PoolConfig pool, List<StickyKey> keys, Set<List<StickyKey>> replaced) {
        Optional<StickyConfig> sticky = pool.strategy().sticky();
        return sticky.isPresent() && replaced.contains(sticky.get().keys())
                ? pool.toBuilder()
                        .strategy(pool.strategy().withSticky(sticky.get().withKeys(keys)))
                        .build()
                : pool;
    }

    private static PolicyConfig withSecrets(
            PolicyConfig policy, List<OidcSecret> secrets, Set<List<OidcSecret>> replaced) {
        return policy.rule() instanceof OidcConfig oidc
                        && replaced.contains(oidc.cookie().secrets())
                ? new PolicyConfig(policy.name(), oidc.withCookie(oidc.cookie().withSecrets(secrets)), policy.dryRun())
                : policy;
    }

    private static List<StickyKey> sticky(SharedSecrets shared) {
        return shared.of(SecretKind.STICKY).stream().map(StickyKey::new).toList();
    }

    private static List<OidcSecret> oidc(SharedSecrets shared) {
        return shared.of(SecretKind.OIDC).stream().map(OidcSecret::new).toList();
    }
}
