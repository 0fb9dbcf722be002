package io.ballast.server.config.form;

import io.ballast.core.config.TargetConfig;
import io.ballast.server.config.key.NamedType;
import io.ballast.server.config.key.Reading;
import io.ballast.server.config.key.Shape;
import io.ballast.server.config.key.Type;
import io.ballast.server.config.yaml.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Targets by the names of regions that must exist under {@code geo}. */
record TargetsByRegion(NamedType<TargetConfig> type) implements Type<Map<String, TargetConfig>> {

    @Override
    public Optional<Map<String, TargetConfig>> read(Node node, Reading reading) {
        if (node instanceof Node.Mapping mapping) {
            mapping.entries().forEach((name, entry) -> reading.regions().use(name, mapping, entry));
        }
        return type.read(node, reading);
    }

    @Override
    public Object print(Map<String, TargetConfig> value) {
        return type.print(value);
    }

    @Override
    public Map<String, Object> schema() {
        return type.schema();
    }

    @Override
    public String label() {
        return type.label();
    }

    @Override
    public List<Shape<?>> shapes() {
        return type.shapes();
    }
}
