package io.ballast.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.policy.config.oidc.OidcConfig;
import io.ballast.policy.config.oidc.OidcSecret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OidcSecretFileTest {

    private static final String OWN = "0123456789abcdef".repeat(4);

    @TempDir
    private Path directory;

    @Test
    void createsOneSecretThatOnlyTheOwnerCanRead() throws Exception {
        BallastConfig config = config("oidc: {issuer: https://id.example, client_id: shop}");

        BallastConfig first = OidcSecretFile.addMissingSecrets(config);
        BallastConfig second = OidcSecretFile.addMissingSecrets(config);

        assertThat(secrets(first, "sso")).hasSize(1);
        assertThat(secrets(first, "own")).containsExactly(new OidcSecret(OWN));
        assertThat(second).isEqualTo(first);
        assertThat(Files.getPosixFilePermissions(file())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.readString(file()))
                .isEqualTo(secrets(first, "sso").get(0).text() + "\n")
                .matches("[0-9a-f]{64}\n");
    }

    @Test
    void createsNothingIfUnused() throws Exception {
        BallastConfig config = config("ip: {deny: [10.0.0.0/8]}");

        assertThat(OidcSecretFile.addMissingSecrets(config)).isSameAs(config);
        assertThat(file()).doesNotExist();
    }

    @Test
    void keepsFileWithoutUsableSecret() throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "short\n");
        BallastConfig config = config("oidc: {issuer: https://id.example, client_id: shop}");

        assertThat(OidcSecretFile.addMissingSecrets(config)).isSameAs(config);
        assertThat(file()).hasContent("short\n");
    }

    private Path file() {
        return directory.resolve("data").resolve(OidcSecretFile.NAME);
    }

    private BallastConfig config(String policy) throws Exception {
        Files.writeString(directory.resolve("own"), OWN + "\n");
        Path file = directory.resolve("lb.yaml");
        Files.writeString(file, """
                listeners: [{bind: 127.0.0.1:8000, pool: web, policies: [sso, own]}]
                pools: {web: {backends: ["127.0.0.1:9001"]}}
                policies:
                  sso: {POLICY}
                  own: {oidc: {issuer: https://id.example, client_id: shop, cookie: {secret_file: DIRECTORY/own}}}
                data_dir: DIRECTORY/data
                """.replace("POLICY", policy).replace("DIRECTORY", directory.toString()));
        return ConfigLoader.ofProcess().load(file).config();
    }

    private static List<OidcSecret> secrets(BallastConfig config, String policy) {
        return ((OidcConfig) config.policies().get(policy).rule()).cookie().secrets();
    }
}
