package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.config.ProbesConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the container deployment files have valid configurations and matching ports and variables. */
class DeploymentFilesTest {

    private static final Path DOCKER = ConfigFiles.ROOT.resolve("docker");
    private static final Map<String, String> ENVIRONMENT =
            Map.of("LB_PASSWORD_HASH", "$2b$12$" + "a".repeat(53), "LB_TOKEN_HASH", "0123456789abcdef".repeat(4));

    private final ConfigLoader loader = new ConfigLoader(ENVIRONMENT::get);

    @ParameterizedTest
    @ValueSource(strings = {"config.yaml", "login.yaml"})
    void imageFilesAreValid(String name) throws Exception {
        LoadedConfig loaded = loader.load(DOCKER.resolve(name));

        assertThat(loaded.warnings()).isEmpty();
        assertThat(loaded.config().dashboard().probes()).map(ProbesConfig::bind).hasToString("Optional[0.0.0.0:8002]");
    }

    @Test
    void composeProvidesVariablesAndPorts() throws IOException {
        JsonNode ballast = documents("compose.yaml").get(0).at("/services/ballast");

        assertThat(ballast.at("/environment/LB_PASSWORD_HASH").asText()).startsWith("${LB_PASSWORD_HASH:?");
        assertThat(ballast.at("/volumes/0").asText()).isEqualTo("./login.yaml:/etc/ballast/config.yaml:ro");
        assertThat(texts(ballast.at("/volumes"))).contains("data:/var/lib/ballast");
        assertThat(texts(ballast.at("/tmpfs"))).containsExactly("/tmp:exec");
        assertThat(texts(ballast.at("/ports"))).contains("8000:8000", "8001:8001", "127.0.0.1:8002:8002");
    }

    @Test
    void kubernetesProbesMatchConfiguredPort(@TempDir Path directory) throws Exception {
        List<JsonNode> documents = documents("kubernetes.yaml");
        assertThat(documents)
                .extracting(each -> each.at("/kind").asText())
                .containsExactly("ConfigMap", "Deployment", "Service");
        String text = documents.get(0).at("/data").path("config.yaml").asText();
        LoadedConfig loaded = loader.load(Files.writeString(directory.resolve("config.yaml"), text));
        DashboardConfig dashboard = loaded.config().dashboard();
        int probes = dashboard.probes().orElseThrow().bind().port();

        assertThat(loaded.warnings()).isEmpty();
        JsonNode container = documents.get(1).at("/spec/template/spec/containers/0");
        assertThat(container.at("/livenessProbe/httpGet/path").asText()).isEqualTo("/healthz");
        assertThat(container.at("/livenessProbe/httpGet/port").asInt()).isEqualTo(probes);
        assertThat(container.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/readyz");
        assertThat(container.at("/readinessProbe/httpGet/port").asInt()).isEqualTo(probes);
        assertThat(documents
                        .get(1)
                        .at("/spec/template/metadata/annotations")
                        .path("prometheus.io/port")
                        .asInt())
                .isEqualTo(probes);
        assertThat(container.at("/ports/1/containerPort").asInt())
                .isEqualTo(dashboard.bind().port());
        List<String> variables = new ArrayList<>();
        container.at("/env").forEach(each -> variables.add(each.at("/name").asText()));
        assertThat(variables).containsExactlyInAnyOrderElementsOf(ENVIRONMENT.keySet());
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    private static List<JsonNode> documents(String name) throws IOException {
        YAMLMapper mapper = new YAMLMapper(new YAMLFactory());
        try (MappingIterator<JsonNode> all =
                mapper.readerFor(JsonNode.class).readValues(DOCKER.resolve(name).toFile())) {
            return all.readAll();
        }
    }
}
