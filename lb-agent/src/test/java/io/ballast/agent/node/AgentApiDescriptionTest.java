package io.ballast.agent.node;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.agent.config.AgentsConfig;
import io.ballast.agent.registry.AgentIdentity;
import io.ballast.agent.registry.AgentRegistry;
import io.ballast.agent.registry.RegistryListener;
import io.ballast.core.config.HostPort;
import io.ballast.dashboard.json.JsonObject;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that the OpenAPI description matches the API for agents. */
class AgentApiDescriptionTest {

    private static final List<String> METHODS = List.of("get", "put", "post", "delete");

    @Test
    void descriptionHasExactlyTheRoutes() throws Exception {
        List<String> described = new ArrayList<>();
        map(document(), "paths")
                .forEach((path, methods) -> ((Map<?, ?>) methods)
                        .keySet().stream()
                                .filter(METHODS::contains)
                                .forEach(method -> described.add(
                                        method.toString().toUpperCase(Locale.ROOT) + " " + path + " anybody")));

        assertThat(described).containsExactlyInAnyOrderElementsOf(routes());
    }

    @Test
    void boundsAreThoseOfTheCode() throws Exception {
        Map<?, ?> parameter = map(map(map(document(), "components"), "parameters"), "Agent");
        assertThat(map(parameter, "schema").get("pattern")).isEqualTo("^" + AgentIdentity.ID_PATTERN + "$");
        assertThat(document().toString()).contains("maxItems=" + AgentRegistry.MAX_BACKENDS_OF_AGENT);
    }

    private static List<String> routes() {
        AgentsConfig config = new AgentsConfig(new HostPort("127.0.0.1", 0), Optional.empty());
        AgentRegistry registry = new AgentRegistry(
                config, Map::of, InstantSource.system(), System::nanoTime, key -> false, new RegistryListener() {
                    @Override
                    public void onBackendsChanged() {}

                    @Override
                    public void onStateChanged() {}

                    @Override
                    public void onEvent(String subject, String text) {}
                });
        return new AgentRoutes(config, registry, new CommandPolls(key -> "serve"), times -> {}, System::nanoTime)
                .router()
                .routeDescriptions();
    }

    private static Map<String, Object> document() throws Exception {
        try (InputStream file = requireNonNull(AgentRoutes.class.getResourceAsStream("openapi.json"))) {
            return JsonObject.read(file.readAllBytes());
        }
    }

    private static Map<?, ?> map(Map<?, ?> fields, String name) {
        return (Map<?, ?>) requireNonNull(fields.get(name), name);
    }
}
