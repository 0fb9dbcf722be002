package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.agent.config.AgentConfig;
import io.ballast.agent.config.LoadDrainConfig;
import io.ballast.agent.config.LoadLimit;
import io.ballast.agent.config.RegisteredBackend;
import io.ballast.agent.config.ReportTo;
import io.ballast.config.key.Key;
import io.ballast.config.keys.agent.AgentKeys;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HostPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentFileLoaderTest {

    private static final Path EXAMPLE = Path.of("../examples/agent/agent.yaml");
    private static final Path GUIDE = Path.of("../docs/guides/agents.md");

    private final AgentFileLoader loader = new AgentFileLoader(Map.of("TOKEN", "6mJ0")::get);

    @TempDir
    private Path directory;

    @Test
    void exampleIsReadAndPrinted() throws Exception {
        AgentFileLoader.LoadedAgent loaded = loader.load(EXAMPLE);
        AgentConfig config = loaded.config();

        assertThat(loaded.warnings()).isEmpty();
        assertThat(config.nodes()).hasSize(2);
        assertThat(config.token()).isEqualTo("6mJ0");
        assertThat(config.id()).contains("app5");
        RegisteredBackend backend = config.register().get(0);
        assertThat(backend.pool()).isEqualTo("web");
        assertThat(backend.address()).isEqualTo(new HostPort("10.0.1.5", 8080));
        assertThat(backend.health().check()).isInstanceOf(HealthCheck.Http.class);
        assertThat(backend.drain())
                .contains(new LoadDrainConfig(
                        Optional.of(new LoadLimit(90, 70)),
                        Optional.of(new LoadLimit(95, 85)),
                        Optional.of(new LoadLimit(50, 10)),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(60)));

        Path printed = Files.writeString(directory.resolve("printed.yaml"), loaded.explain(/* showSecrets= */ true));
        assertThat(loader.load(printed).config()).isEqualTo(config);
        assertThat(loaded.explain(/* showSecrets= */ false))
                .doesNotContain("6mJ0")
                .contains("app5");
    }

    @Test
    void defaultsAreApplied() throws Exception {
        AgentConfig config = load("""
            agent: {nodes: ["http://127.0.0.1:8444"], token: x}
            register: [{pool: web, address: "[2001:DB8::0:5]:8080"}]
            """);

        assertThat(config.reportTo()).isEqualTo(ReportTo.ALL);
        assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.dataDir()).isEqualTo(Path.of("/var/lib/ballast-agent"));
        assertThat(config.register().get(0).address()).isEqualTo(new HostPort("2001:db8::5", 8080));
        assertThat(config.register().get(0).drain()).isEmpty();
    }

    @Test
    void problemsNameTheirPlaces() {
        assertThatThrownBy(() -> load("""
            agent: {nodes: ["http://10.0.0.1:8444"], token: x}
            register: [{pool: web, address: app.local:80}]
            """))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("agent.yaml:1:17: agent.nodes[0]: ")
                .hasMessageContaining("https URL")
                .hasMessageContaining("agent.yaml:2:33: register[0].address: ");
        assertThatThrownBy(() -> load("agent: {token: x}\n"))
                .hasMessageContaining("missing key 'nodes'")
                .hasMessageContaining("missing key 'register'");
        assertThatThrownBy(() -> load("""
            agent: {nodes: ["https://n1:1"], token: x}
            register: [{pool: web, address: "10.0.0.1:80", drain: {hold: 1s}}]
            """)).hasMessageContaining("cpu").hasMessageContaining("memory");
    }

    @Test
    void agentFilesAreDistinguished() throws Exception {
        assertThat(loader.isAgentFile(EXAMPLE)).isTrue();
        assertThat(loader.isAgentFile(Path.of("../config/agents.yaml"))).isFalse();
        assertThat(loader.isAgentFile(directory.resolve("missing.yaml"))).isFalse();
    }

    @Test
    void guideListsEveryKey() throws Exception {
        String guide = Files.readString(GUIDE);

        List<String> names = AgentKeys.FILE.keys().stream()
                .flatMap(key -> key.type().shapes().stream())
                .filter(shape -> shape.name().startsWith("agent")) // the keys of health checks are on another page
                .flatMap(shape -> shape.keys().stream())
                .map(Key::name)
                .toList();
        assertThat(names)
                .contains("nodes", "drain")
                .allSatisfy(name -> assertThat(guide).containsPattern("[`.]" + name + "[`.]"));
    }

    private AgentConfig load(String text) throws Exception {
        return loader.load(Files.writeString(directory.resolve("agent.yaml"), text))
                .config();
    }
}
