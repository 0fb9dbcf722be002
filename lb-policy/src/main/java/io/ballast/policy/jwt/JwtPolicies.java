package io.ballast.policy.jwt;

import io.ballast.core.hash.SipHash24;
import io.ballast.policy.config.jwt.JwtAlgorithm;
import io.ballast.policy.config.jwt.JwtConfig;
import io.ballast.policy.config.jwt.JwtKeySource;
import io.ballast.policy.jwt.key.KeyDownload;
import io.ballast.policy.jwt.key.KeySet;
import io.ballast.policy.jwt.key.KeySource;
import io.ballast.policy.jwt.key.RemoteKeys;
import io.ballast.policy.jwt.key.VerificationKey;
import io.ballast.policy.jwt.token.TokenRules;
import io.ballast.policy.work.PolicyEnvironment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Creates policies from their configuration. */
public final class JwtPolicies {

    private JwtPolicies() {}

    /**
     * Creates a policy, which begins to download its keys at once if they are remote.
     *
     * @param hash a hash function with a random key
     */
    public static JwtPolicy create(JwtConfig config, PolicyEnvironment environment, SipHash24 hash) {
        return create(config, keys(config.keys(), environment), environment, hash, JwtPolicy.KEY_WAIT);
    }

    /** Creates a policy with the given keys and the given maximum wait for keys. */
    static JwtPolicy create(
            JwtConfig config, KeySource keys, PolicyEnvironment environment, SipHash24 hash, Duration keyWait) {
        return new JwtPolicy(
                config,
                new TokenRules(algorithms(config), config.claims()),
                keys,
                hash,
                environment.tokenWork(),
                environment.millis(),
                keyWait);
    }

    /**
     * Returns the accepted algorithms. By default, these are all algorithms that the keys support: HMAC algorithms such
     * as HS256 for a shared secret, all other algorithms for public keys.
     */
    private static Set<JwtAlgorithm> algorithms(JwtConfig config) {
        boolean isSymmetric = config.keys() instanceof JwtKeySource.Shared;
        return config.algorithms().isEmpty()
                ? Arrays.stream(JwtAlgorithm.values())
                        .filter(algorithm -> algorithm.isSymmetric() == isSymmetric)
                        .collect(Collectors.toUnmodifiableSet())
                : config.algorithms();
    }

    private static KeySource keys(JwtKeySource source, PolicyEnvironment environment) {
        if (source instanceof JwtKeySource.Shared shared) {
            byte[] secret = shared.secret().bytes();
            return KeySource.fixed(KeySet.of(List.of(VerificationKey.ofSecret(secret))));
        }
        if (source instanceof JwtKeySource.Remote remote) {
            return new RemoteKeys(
                    remote.url().toString(),
                    new KeyDownload(remote.url(), environment.downloads().client(remote.ca())),
                    environment.downloads().timer(),
                    environment.nanoTime());
        }
        return KeySource.fixed(KeySet.parse(((JwtKeySource.Fixed) source).text()));
    }
}
