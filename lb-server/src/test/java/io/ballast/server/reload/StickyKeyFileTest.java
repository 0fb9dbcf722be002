package io.ballast.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.config.StickyKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StickyKeyFileTest {

    private static final String OWN = "0123456789abcdef".repeat(4);

    @TempDir
    private Path directory;

    @Test
    void createsOneKeyForAllPools() throws Exception {
        BallastConfig config = config("sticky");

        BallastConfig first = StickyKeyFile.addMissingKeys(config);
        BallastConfig second = StickyKeyFile.addMissingKeys(config);

        assertThat(keys(first, "web")).hasSize(1).isEqualTo(keys(first, "api"));
        assertThat(keys(first, "own")).containsExactly(new StickyKey(OWN));
        assertThat(first.pools().get("plain")).isSameAs(config.pools().get("plain"));
        assertThat(second).isEqualTo(first);
        assertThat(Files.getPosixFilePermissions(file())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.readString(file())).isEqualTo(keys(first, "web").get(0).hex() + "\n");
        try (var all = Files.list(file().getParent())) {
            assertThat(all).hasSize(1);
        }
    }

    @Test
    void createsNothingIfUnused() throws Exception {
        BallastConfig config = config("random");

        assertThat(StickyKeyFile.addMissingKeys(config)).isSameAs(config);
        assertThat(file()).doesNotExist();
    }

    @Test
    void keepsInvalidFile() throws Exception {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "no key\n");
        BallastConfig config = config("sticky");

        assertThat(StickyKeyFile.addMissingKeys(config)).isSameAs(config);
        assertThat(file()).hasContent("no key\n");
    }

    @Test
    void worksWithoutDirectory() throws Exception {
        Files.writeString(directory.resolve("data"), "a file");
        BallastConfig config = config("sticky");

        assertThat(StickyKeyFile.addMissingKeys(config)).isSameAs(config);
    }

    private Path file() {
        return directory.resolve("data").resolve(StickyKeyFile.NAME);
    }

    private BallastConfig config(String type) throws Exception {
        Path file = directory.resolve("lb.yaml");
        Files.writeString(file, """
                listeners: [{bind: 127.0.0.1:8000, routes: [{split: [{pool: web}, {pool: api}, {pool: own}, {pool: plain}]}]}]
                pools:
                  web: {strategy: TYPE, backends: ["127.0.0.1:9001"]}
                  api: {strategy: {type: TYPE}, backends: ["127.0.0.1:9002"]}
                  own: {strategy: {type: sticky, cookie: {keys: [OWN]}}, backends: ["127.0.0.1:9003"]}
                  plain: {backends: ["127.0.0.1:9004"]}
                data_dir: DIRECTORY
                """.replace("TYPE", type)
                .replace("OWN", OWN)
                .replace("DIRECTORY", directory.resolve("data").toString()));
        return ConfigLoader.ofProcess().load(file).config();
    }

    private static List<StickyKey> keys(BallastConfig config, String pool) {
        return config.pools().get(pool).strategy().sticky().orElseThrow().keys();
    }
}
