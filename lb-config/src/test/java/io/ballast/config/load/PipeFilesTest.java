package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a pipe in the place of a file is an error. Reading it would block this and all later reloads. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PipeFilesTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "basic: {users_file: pipe}",
                "jwt: {jwks_file: pipe}",
                "jwt: {secret_file: pipe}",
                "api_keys: {keys_file: pipe}",
                "oidc: {issuer: \"https://a\", client_id: a, client_secret_file: pipe}",
                "filter: {jar: pipe}",
                "ip: {deny: [{file: pipe}]}"
            })
    void pipeIsRefused(String policy) throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path file = Files.writeString(
                directory.resolve("config.yaml"),
                "policies:\n  a: {" + policy + "}\nlisteners:\n  - {bind: 127.0.0.1:80, policies: [a], pool: web}\n"
                        + "pools:\n  web: {backends: [\"10.0.0.1:80\"]}\n");

        ConfigException refused = Assertions.catchThrowableOfType(
                ConfigException.class, () -> ConfigFiles.loader().load(file));

        assertThat(refused).hasMessageContaining("pipe").hasMessageFindingMatch("is not a (regular )?file");
    }
}
