package io.ballast.config.keys.dashboard;

import io.ballast.config.key.FileType;
import io.ballast.config.key.Key;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.config.yaml.Node;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code geo}. */
public final class GeoKeys {

    private static final ShapeBuilder<GeoConfig> KEYS =
            Shape.named("geo", "Assigns clients to regions by their addresses.");

    private static final Key<List<Path>> DATABASE = KEYS.optional(
            "database",
            OneOrMore.of(new FileType(), "database"),
            "MaxMind DB file with cities, countries or autonomous systems, or a list of such files;"
                    + " reloaded when a file changes",
            geo -> Optional.of(geo.databases()).filter(files -> !files.isEmpty()));
    public static final Key<Map<String, RegionConfig>> REGIONS =
            KEYS.required("regions", new NamedType<>(RegionKeys.REGION), "the regions by name", GeoConfig::regions);
    private static final Key<String> DEFAULT_REGION = KEYS.required(
            "default_region",
            NameReference.REGION,
            "the region of clients that match no other region",
            GeoConfig::defaultRegion);

    public static final Type<GeoConfig> GEO = KEYS.build(GeoKeys::build);

    private GeoKeys() {}

    private static GeoConfig build(Values values) {
        List<Path> databases = values.find(DATABASE).orElse(List.of());
        if (databases.isEmpty() && !values.isInvalid(DATABASE)) {
            refusePlacesWithoutDatabase(values);
        }
        return new GeoConfig(databases, values.get(REGIONS), values.get(DEFAULT_REGION));
    }

    private static void refusePlacesWithoutDatabase(Values values) {
        Map<String, RegionConfig> regions = values.get(REGIONS);
        if (values.node(REGIONS) instanceof Node.Mapping mapping) {
            mapping.entries().forEach((name, entry) -> {
                RegionConfig region = regions.get(name);
                if (region != null && region.needsDatabase()) {
                    values.reading()
                            .error(
                                    mapping,
                                    entry,
                                    "region '" + name + "' requires a database (expected: geo.database)");
                }
            });
        }
    }
}
