package io.ballast.config.keys.dns;

import io.ballast.config.key.DerivedType;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.dns.config.zone.TargetConfig;
import java.util.Map;
import java.util.Optional;

/** Targets by region name; the regions must exist under {@code geo}. */
record TargetsByRegion(NamedType<TargetConfig> source)
        implements DerivedType<Map<String, TargetConfig>, Map<String, TargetConfig>> {

    @Override
    public Optional<Map<String, TargetConfig>> read(Node node, ReadContext reading) {
        if (node instanceof Node.Mapping mapping) {
            mapping.entries().forEach((name, entry) -> reading.regions().use(name, mapping, entry));
        }
        return source.read(node, reading);
    }

    @Override
    public Object print(Map<String, TargetConfig> value) {
        return source.print(value);
    }
}
