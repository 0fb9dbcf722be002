package io.ballast.core.geo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ballast.core.config.geo.Coordinates;
import io.ballast.core.config.geo.RegionConfig;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RegionsTest {

    private static final RegionConfig FRANKFURT = GeoConfigs.at("frankfurt", 50.1, 8.7);
    private static final RegionConfig VIRGINIA = GeoConfigs.at("virginia", 38.9, -77.4);
    private static final RegionConfig TOKYO = GeoConfigs.at("tokyo", 35.7, 139.7);
    private static final RegionConfig OREGON = GeoConfigs.at("oregon", 45.8, -119.7);

    @Test
    void idsFollowConfigurationOrder() {
        Regions regions = regions(TOKYO, FRANKFURT);

        assertThat(regions.names()).containsExactly("tokyo", "frankfurt");
        assertThat(regions.id("frankfurt")).hasValue(1);
        assertThat(regions.id("nowhere")).isEmpty();
        assertThat(regions.name(0)).isEqualTo("tokyo");
        assertThat(regions.defaultRegion()).isEqualTo(1);
    }

    @Test
    void nearestRegionComesFirst() {
        Regions regions = regions(TOKYO, OREGON, FRANKFURT, VIRGINIA);

        assertThat(order(regions, "frankfurt")).containsExactly("frankfurt", "virginia", "oregon", "tokyo");
        assertThat(order(regions, "tokyo")).containsExactly("tokyo", "oregon", "frankfurt", "virginia");
    }

    @Test
    void distanceUsesShortestPath() {
        Regions regions =
                regions(GeoConfigs.at("west", 0, -170), GeoConfigs.at("middle", 0, 0), GeoConfigs.at("east", 0, 170));

        assertThat(order(regions, "east")).containsExactly("east", "west", "middle");
    }

    @Test
    void firstDeclaredOfEquallyNearRegionsComesFirst() {
        Regions regions =
                regions(GeoConfigs.at("north", 10, 0), GeoConfigs.at("south", -10, 0), GeoConfigs.at("middle", 0, 0));

        assertThat(order(regions, "middle")).containsExactly("middle", "north", "south");
    }

    @Test
    void usesConfigurationOrderWithoutCoordinates() {
        Regions regions = regions(RegionConfig.of("a"), RegionConfig.of("b"), RegionConfig.of("c"));

        assertThat(order(regions, "b")).containsExactly("b", "a", "c");
    }

    @Test
    void regionsWithoutCoordinatesComeLast() {
        Regions regions = regions(RegionConfig.of("lost"), TOKYO, FRANKFURT);

        assertThat(order(regions, "frankfurt")).containsExactly("frankfurt", "tokyo", "lost");
        assertThat(order(regions, "lost")).containsExactly("lost", "tokyo", "frankfurt");
    }

    @Test
    void declaredFallbackPrecedesDistance() {
        Regions regions = regions(GeoConfigs.at("frankfurt", 50.1, 8.7, "tokyo"), VIRGINIA, TOKYO);

        assertThat(order(regions, "frankfurt")).containsExactly("frankfurt", "tokyo", "virginia");
    }

    @Test
    void rejectsUnknownFallback() {
        assertThatThrownBy(() -> regions(GeoConfigs.at("frankfurt", 50.1, 8.7, "mars")))
                .hasMessage("fallback: mars (expected: a configured region)");
    }

    @Test
    void computesGreatCircleDistance() {
        Coordinates paris = new Coordinates(48.8566, 2.3522);
        Coordinates newYork = new Coordinates(40.7128, -74.0060);

        assertThat(6371 * paris.angleTo(newYork)).isCloseTo(5837, within(1.0)); // in kilometres
        assertThat(paris.angleTo(paris)).isZero();
        assertThat(new Coordinates(90, 0).angleTo(new Coordinates(-90, 180))).isCloseTo(Math.PI, within(1e-9));
    }

    private static Regions regions(RegionConfig... regions) {
        return Regions.of(GeoConfigs.of(List.of(), regions));
    }

    private static List<String> order(Regions regions, String region) {
        return IntStream.of(regions.order(regions.id(region).orElseThrow()))
                .mapToObj(regions::name)
                .toList();
    }
}
