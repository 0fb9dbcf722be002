package io.ballast.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.secret.SecretKind;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.config.StickyKey;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcSecret;
import io.ballast.replication.SharedSecrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedSecretsTest {

    private static final StickyKey OWN = new StickyKey("11".repeat(32));
    private static final String FIRST = "aa".repeat(32);
    private static final String SECOND = "bb".repeat(32);

    @TempDir
    private Path directory;

    private BallastConfig config() throws Exception {
        Path file = Files.writeString(directory.resolve("config.yaml"), """
                data_dir: %s/data
                policies: {login: {oidc: {issuer: "https://id.example", client_id: shop, client_secret: secret}}}
                listeners: [{bind: "127.0.0.1:0", pool: generated}]
                pools:
                  generated: {strategy: {type: sticky}, backends: ["127.0.0.1:1"]}
                  configured: {strategy: {type: sticky, cookie: {keys: ["%s"]}}, backends: ["127.0.0.1:1"]}
                  plain: {backends: ["127.0.0.1:1"]}
                """.formatted(directory, OWN.hex()));
        return ConfigLoader.ofProcess().load(file).config();
    }

    private static SharedSecrets shared(String... secrets) {
        return new SharedSecrets(Map.of(SecretKind.STICKY, List.of(secrets), SecretKind.OIDC, List.of(secrets)));
    }

    private static List<StickyKey> keys(BallastConfig config, String pool) {
        return config.pools().get(pool).strategy().sticky().orElseThrow().keys();
    }

    private static List<OidcSecret> secrets(BallastConfig config) {
        return ((OidcConfig) config.policies().get("login").rule()).cookie().secrets();
    }

    @Test
    void secretsOfTheClusterReplaceThoseInFiles() throws Exception {
        BallastConfig before = GeneratedSecrets.addMissing(config());
        assertThat(keys(before, "generated")).hasSize(1);
        assertThat(secrets(before)).hasSize(1);
        GeneratedSecrets generated = new GeneratedSecrets(before);

        BallastConfig first = generated.replace(before, shared(FIRST));
        assertThat(keys(first, "generated")).containsExactly(new StickyKey(FIRST));
        assertThat(secrets(first)).containsExactly(new OidcSecret(FIRST));
        BallastConfig second = generated.replace(first, shared(SECOND, FIRST));
        assertThat(keys(second, "generated")).containsExactly(new StickyKey(SECOND), new StickyKey(FIRST));
        assertThat(secrets(second)).hasSize(2);
    }

    @Test
    void configuredKeysStay() throws Exception {
        BallastConfig before = GeneratedSecrets.addMissing(config());
        BallastConfig next = new GeneratedSecrets(before).replace(before, shared(FIRST));
        assertThat(keys(next, "configured")).containsExactly(OWN);
    }

    @Test
    void withoutSharedSecretsNothingChanges() throws Exception {
        BallastConfig before = GeneratedSecrets.addMissing(config());
        assertThat(new GeneratedSecrets(before).replace(before, SharedSecrets.NONE))
                .isEqualTo(before);
    }
}
