package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the values of the Helm chart are consistent with each other and with the templates; helm itself
 * renders the templates in {@code smoke/helm.sh}.
 */
class HelmChartTest {

    private static final Path CHART = ConfigFiles.ROOT.resolve("docker/helm/ballast");

    private final YAMLMapper mapper = new YAMLMapper();

    @Test
    void configurationListensOnServicePorts(@TempDir Path directory) throws Exception {
        JsonNode values = read("values.yaml");
        Path file = Files.copy(CHART.resolve("files/config.yaml"), directory.resolve("config.yaml"));

        LoadedConfig loaded = new ConfigLoader(name -> null).load(file);

        assertThat(values.path("config"))
                .as("what stands here is merged into everybody's")
                .isEmpty();

        assertThat(loaded.warnings()).isEmpty();
        List<Integer> targets = new ArrayList<>();
        values.at("/service/ports")
                .forEach(port -> targets.add(port.path("targetPort").asInt()));
        assertThat(loaded.config().listeners())
                .extracting(listener -> listener.bind().toString())
                .containsExactlyElementsOf(
                        targets.stream().map(port -> "0.0.0.0:" + port).toList());
    }

    @Test
    void chartHasProjectVersion() throws Exception {
        String pom = Files.readString(ConfigFiles.ROOT.resolve("pom.xml"));

        assertThat(pom)
                .contains("<version>" + read("Chart.yaml").path("appVersion").asText() + "</version>");
    }

    @Test
    void templateValuesHaveDefaults() throws Exception {
        JsonNode values = read("values.yaml");
        try (Stream<Path> templates = Files.list(CHART.resolve("templates"))) {
            for (Path template : templates.toList()) {
                Matcher named = Pattern.compile("\\.Values((?:\\.\\w+)+)").matcher(Files.readString(template));
                while (named.find()) {
                    assertThat(values.at(named.group(1).replace('.', '/')).isMissingNode())
                            .as("%s in %s", named.group(), template)
                            .isFalse();
                }
            }
        }
    }

    private JsonNode read(String name) throws IOException {
        return mapper.readTree(CHART.resolve(name).toFile());
    }
}
