package io.ballast.config.keys.dns;

import io.ballast.config.key.DerivedType;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Shape;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import io.ballast.dns.config.zone.TargetConfig;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A target that is nested in another target. It delegates to {@link TargetKeys#TARGET}, whose definition
 * cannot refer to itself.
 */
enum TargetReference implements DerivedType<TargetConfig, TargetConfig> {
    TARGET;

    @Override
    public Type<TargetConfig> source() {
        return TargetKeys.TARGET;
    }

    @Override
    public Optional<TargetConfig> read(Node node, ReadContext reading) {
        return source().read(node, reading);
    }

    @Override
    public Object print(TargetConfig value) {
        return source().print(value);
    }

    @Override
    public Map<String, Object> schema() {
        return TargetKeys.SCHEMA;
    }

    @Override
    public String label() {
        return TargetKeys.LABEL;
    }

    /** Returns an empty list, because the key of the outer target already returns these shapes. */
    @Override
    public List<Shape<?>> shapes() {
        return List.of();
    }
}
