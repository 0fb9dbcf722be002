package io.ballast.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cluster.config.ClusterSecretKey;
import io.ballast.cluster.secret.SecretCipher;
import io.ballast.cluster.secret.SecretKind;
import io.ballast.cluster.secret.SecretSet;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretStateFileTest {

    private static final String KEY = "ab".repeat(32);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path directory;

    private BallastConfig config(String key) throws Exception {
        Path file = Files.writeString(directory.resolve("config.yaml"), """
                listeners: [{bind: "127.0.0.1:0", pool: web}]
                pools: {web: {backends: ["127.0.0.1:1"]}}
                data_dir: %s/data
                cluster:
                  name: edge
                  bind: 127.0.0.1:7946
                  voters: [n1]
                  tls: {certificate: a, key: a, ca: a}
                """.formatted(directory) + key);
        return ConfigLoader.ofProcess().load(file).config();
    }

    @Test
    void theLastSecretsAreReadBackWithTheSameKey() throws Exception {
        BallastConfig config = config("  secret_key: " + KEY + "\n");
        SecretSet sticky = SecretSet.first(SecretKind.STICKY, new SecureRandom(), NOW);
        SecretCipher cipher = new SecretCipher(new ClusterSecretKey(KEY), new SecureRandom());
        Path cluster = config.dataDir().resolve(ClusterPart.DIRECTORY);
        new SecretStateFile(cluster, cipher).write(Map.of(SecretKind.STICKY, sticky));

        SharedSecrets read = SecretStateFile.read(config, NOW);
        assertThat(read.of(SecretKind.STICKY)).isEqualTo(sticky.inUse(NOW));
        assertThat(read.of(SecretKind.OIDC)).isEmpty();
        assertThat(read.toString()).doesNotContain(sticky.inUse(NOW).get(0));
        assertThat(Files.readString(cluster.resolve("secrets.state")))
                .doesNotContain(sticky.inUse(NOW).get(0));
        assertThat(SecretStateFile.read(config("  secret_key: " + "cd".repeat(32) + "\n"), NOW))
                .isEqualTo(SharedSecrets.NONE);
        assertThat(SecretStateFile.read(config(""), NOW)).isEqualTo(SharedSecrets.NONE);
    }

    @Test
    void newerSecretsReplaceThoseOfTheirKind() {
        SharedSecrets secrets =
                new SharedSecrets(Map.of(SecretKind.STICKY, List.of("a"), SecretKind.OIDC, List.of("b")));
        assertThat(secrets.with(new SharedSecrets(Map.of(SecretKind.OIDC, List.of("c", "b")))))
                .isEqualTo(
                        new SharedSecrets(Map.of(SecretKind.STICKY, List.of("a"), SecretKind.OIDC, List.of("c", "b"))));
    }
}
