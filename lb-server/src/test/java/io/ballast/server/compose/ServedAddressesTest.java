package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedAddressesTest {

    @TempDir
    private Path directory;

    @Test
    void listsAddressesWithActualPorts() throws Exception {
        Path file = Files.writeString(directory.resolve("lb.yaml"), """
                listeners:
                  - {name: web, bind: "127.0.0.1:0", pool: app}
                  - {name: db, bind: "0.0.0.0:5432", protocol: tcp, pool: app}
                dns:
                  listeners: [{bind: "127.0.0.1:53"}]
                  zones: [{name: example.com}]
                pools: {app: {backends: ["127.0.0.1:1"]}}
                """);
        BallastConfig config = ConfigLoader.ofProcess().load(file).config();

        assertThat(ServedAddresses.lines(
                        config,
                        Map.of("web", "127.0.0.1:49152"),
                        Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 8001))))
                .containsExactly(
                        "serves=http://127.0.0.1:49152 listener=web",
                        "serves=tcp://0.0.0.0:5432 listener=db",
                        "serves=dns://127.0.0.1:53",
                        "dashboard=http://127.0.0.1:8001/");
        assertThat(ServedAddresses.lines(config, Map.of(), Optional.empty()))
                .noneMatch(line -> line.startsWith("dashboard="));
    }
}
