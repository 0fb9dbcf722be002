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
    public static final Key<Map<String, RegionConfig>> REGIONS = KEYS.optional(
            "regions",
            new NamedType<>(RegionKeys.REGION),
            "the regions by name; may be omitted if only policies use the database",
            geo -> Optional.of(geo.regions()).filter(regions -> !isUndivided(geo)));
    private static final Key<String> DEFAULT_REGION = KEYS.optional(
            "default_region",
            NameReference.REGION,
            "the region of clients that match no other region; required with regions",
            geo -> Optional.of(geo.defaultRegion()).filter(region -> !isUndivided(geo)));

    /** The region of all clients if {@code geo} configures no regions. */
    private static final RegionConfig WORLD = RegionConfig.of("world");

    public static final Type<GeoConfig> GEO = KEYS.build(GeoKeys::build);

    private GeoKeys() {}

    private static GeoConfig build(Values values) {
        List<Path> databases = values.find(DATABASE).orElse(List.of());
        Optional<Map<String, RegionConfig>> regions = values.find(REGIONS);
        Optional<String> defaultRegion = values.find(DEFAULT_REGION);
        if (regions.isEmpty() || defaultRegion.isEmpty()) {
            checkWithoutRegions(values, databases);
            return new GeoConfig(databases, Map.of(WORLD.name(), WORLD), WORLD.name());
        }
        if (databases.isEmpty() && !values.isInvalid(DATABASE)) {
            refusePlacesWithoutDatabase(regions.get(), values);
        }
        return new GeoConfig(databases, regions.get(), defaultRegion.get());
    }

    /** Reports a missing key, unless the configuration contains only databases. */
    private static void checkWithoutRegions(Values values, List<Path> databases) {
        if (values.isInvalid(REGIONS) || values.isInvalid(DEFAULT_REGION) || values.isInvalid(DATABASE)) {
            return;
        }
        if (values.has(REGIONS) || values.has(DEFAULT_REGION)) {
            String missing = (values.has(REGIONS) ? DEFAULT_REGION : REGIONS).name();
            values.reading().error(values.mapping(), "missing key '" + missing + "'");
        } else if (databases.isEmpty()) {
            values.reading().error(values.mapping(), "neither regions nor a database (expected: regions or database)");
        }
    }

    /** Whether the configuration has geolocation databases, but no regions. */
    private static boolean isUndivided(GeoConfig geo) {
        return !geo.databases().isEmpty() && geo.regions().equals(Map.of(WORLD.name(), WORLD));
    }

    private static void refusePlacesWithoutDatabase(Map<String, RegionConfig> regions, Values values) {
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
