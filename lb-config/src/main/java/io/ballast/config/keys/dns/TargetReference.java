package io.ballast.config.keys.dns;

import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import io.ballast.dns.config.zone.TargetConfig;
import java.util.Map;
import java.util.Optional;

/**
 * A target inside a target. It delegates to {@link TargetKeys#TARGET}, whose definition cannot refer to
 * itself.
 */
enum TargetReference implements Type<TargetConfig> {
    TARGET;

    @Override
    public Optional<TargetConfig> read(Node node, ReadContext reading) {
        return TargetKeys.TARGET.read(node, reading);
    }

    @Override
    public Object print(TargetConfig value) {
        return TargetKeys.TARGET.print(value);
    }

    @Override
    public Map<String, Object> schema() {
        return TargetKeys.SCHEMA;
    }

    @Override
    public String label() {
        return TargetKeys.LABEL;
    }
}
