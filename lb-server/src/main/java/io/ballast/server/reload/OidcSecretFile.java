package io.ballast.server.reload;

import io.ballast.config.BallastConfig;
import io.ballast.core.ErrorText;
import io.ballast.core.state.StateFile;
import io.ballast.policy.config.PolicyConfig;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcCookie;
import io.ballast.policy.config.oidc.OidcSecret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the secret for session cookies, for {@code oidc} policies without a configured secret. With this file,
 * users stay logged in after a restart. The file is created with mode 600 when it is first needed. If it cannot be
 * created or read, such a policy uses its own secret for the life of the process, and a warning is logged.
 */
public final class OidcSecretFile {

    static final String NAME = "oidc.secret";

    private static final Logger LOG = LoggerFactory.getLogger(OidcSecretFile.class);
    private static final int MAX_BYTES = 1024;
    private static final int SECRET_BYTES = 32;

    private OidcSecretFile() {}

    /**
     * Returns a copy of the configuration in which policies without a configured secret use the secret from the file.
     */
    public static BallastConfig addMissingSecrets(BallastConfig config) {
        if (config.policies().values().stream().noneMatch(OidcSecretFile::needsSecret)) {
            return config;
        }
        Path file = config.dataDir().resolve(NAME);
        List<OidcSecret> secrets;
        try {
            secrets = List.of(readOrCreate(file));
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            LOG.warn(
                    "file={} msg=\"cannot read or create the secret; logins do not survive a restart\" reason=\"{}\"",
                    file,
                    ErrorText.reason(e));
            return config;
        }
        Map<String, PolicyConfig> policies = new LinkedHashMap<>(config.policies());
        policies.replaceAll((name, policy) -> needsSecret(policy) ? withSecrets(policy, secrets) : policy);
        return config.withPolicies(policies);
    }

    /** Returns the secret on disk; empty if there is no usable file. */
    static Optional<OidcSecret> find(Path dataDir) {
        try {
            Path file = dataDir.resolve(NAME);
            return Files.exists(file) ? Optional.of(readOrCreate(file)) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static boolean needsSecret(PolicyConfig policy) {
        return policy.rule() instanceof OidcConfig oidc
                && oidc.cookie().secrets().isEmpty();
    }

    private static PolicyConfig withSecrets(PolicyConfig policy, List<OidcSecret> secrets) {
        OidcConfig oidc = (OidcConfig) policy.rule();
        return new PolicyConfig(policy.name(), oidc.withCookie(oidc.cookie().withSecrets(secrets)), policy.dryRun());
    }

    /** Returns the secret on disk, even if another process creates it at the same time. */
    private static OidcSecret readOrCreate(Path file) throws IOException {
        StateFile kept = new StateFile(file, MAX_BYTES);
        if (!Files.exists(file)) {
            byte[] drawn = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(drawn);
            kept.create((HexFormat.of().formatHex(drawn) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        byte[] bytes = kept.read().orElseThrow(() -> new NoSuchFileException(file.toString()));
        String text = new String(bytes, StandardCharsets.US_ASCII).strip();
        if (text.length() < OidcCookie.MIN_SECRET_CHARACTERS) {
            throw new IllegalArgumentException("the file has " + text.length() + " characters (expected: at least "
                    + OidcCookie.MIN_SECRET_CHARACTERS + ")");
        }
        return new OidcSecret(text);
    }
}
