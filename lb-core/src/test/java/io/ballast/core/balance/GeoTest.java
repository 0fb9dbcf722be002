package io.ballast.core.balance;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.Backend;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.config.StrategyKind;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import io.ballast.core.geo.GeoConfigs;
import io.ballast.core.geo.Geography;
import io.ballast.core.geo.RegionNetwork;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.geo.Regions;
import io.ballast.core.net.Cidr;
import io.ballast.core.testing.Backends;
import io.ballast.core.testing.SeededRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GeoTest extends StrategyContractTest {

    /** The lower halves of IPv4-mapped addresses, one in each region. */
    private static final long EU = 0xFFFF_0A01_0000L;

    private static final long US = 0xFFFF_0A02_0000L;
    private static final long ASIA = 0xFFFF_0A03_0000L;
    private static final long OTHER_NETWORK = 0xFFFF_0A09_0000L;

    private final List<Member> members = Stream.of("eu", "us", "eu", "asia", "", "us")
            .map(new Places()::next)
            .toList();
    private @Nullable Geography geography = new Fixed(regions("eu", "us", "asia"), table(0, 1, 2));
    private final Strategy strategy = Strategies.create(
            new StrategyConfig(StrategyKind.GEO, Optional.of(StrategyKind.ROUND_ROBIN)), () -> geography);

    GeoTest() {
        super(StrategyKind.GEO);
    }

    @Test
    void clientsUseTheirRegion() {
        Picker picker = strategy.compile(members);

        assertThat(picks(picker, EU, 4)).containsExactly(at(0), at(2), at(0), at(2));
        assertThat(picks(picker, US, 2)).containsExactly(at(1), at(5));
        assertThat(picks(picker, ASIA, 2)).containsExactly(at(3), at(3));
    }

    @Test
    void unknownClientUsesDefaultRegion() {
        Picker picker = strategy.compile(members);

        assertThat(picks(picker, OTHER_NETWORK, 2)).containsExactly(at(1), at(5));
        assertThat(picks(picker, 0, 2)).containsExactly(at(1), at(5));
    }

    @Test
    void emptyRegionFallsBackToNextRegion() {
        // The fallback of eu is asia; us is nearest to asia; members without a region come last.
        assertThat(picks(strategy.compile(without("eu")), EU, 1)).containsExactly(at(3));
        assertThat(picks(strategy.compile(without("asia")), ASIA, 2)).containsExactly(at(1), at(5));
        assertThat(picks(strategy.compile(without("eu", "asia")), EU, 1)).containsExactly(at(1));
        assertThat(picks(strategy.compile(without("eu", "asia", "us")), EU, 1)).containsExactly(at(4));
    }

    @Test
    void overflowOfRegionGoesToNextRegion() {
        Picker picker = strategy.compile(members);
        SeededRequest request = request().address(0, EU).exclude(at(0)).exclude(at(2));

        assertThat(picker.pick(request)).isSameAs(at(3));
        assertThat(picker.pick(request.exclude(at(3)))).isSameAs(at(1));
        assertThat(picker.pick(request.exclude(at(1)).exclude(at(5)))).isSameAs(at(4));
        assertThat(picker.pick(request.exclude(at(4)))).isNull();
    }

    @Test
    void backupsComeAfterAllRegions() {
        List<Member> withBackup =
                List.of(new Member(at(0), 1, 0, /* backup= */ true, "eu"), members.get(1), members.get(3));

        assertThat(picks(strategy.compile(withBackup), EU, 1)).containsExactly(at(3));
        assertThat(picks(strategy.compile(withBackup.subList(0, 1)), ASIA, 1)).containsExactly(at(0));
    }

    @Test
    void newTableAppliesImmediatelyAndRegionsAfterCompile() {
        Fixed first = new Fixed(regions("eu", "us", "asia"), table(0, 1, 2));
        geography = first;
        Picker picker = strategy.compile(members);

        first.table = table(1, 0, 2);
        assertThat(picks(picker, EU, 1)).containsExactly(at(1));

        geography = new Fixed(regions("us", "eu", "asia"), table(1, 0, 2));
        assertThat(picks(picker, EU, 1)).as("before").containsExactly(at(5));
        assertThat(picks(strategy.compile(members), EU, 1)).containsExactly(at(0));
    }

    @Test
    void allMembersServeWithoutGeography() {
        geography = null;

        assertThat(picks(strategy.compile(members), EU, 1)).isSubsetOf(backends(members));
    }

    @Test
    void removedRegionsComeLast() {
        geography = new Fixed(regions("us", "asia"), table(0, 0, 1));

        assertThat(picks(strategy.compile(without("us", "asia")), EU, 1)).containsExactly(at(0));
    }

    private List<Backend> picks(Picker picker, long address, int count) {
        SeededRequest request = request().address(0, address);
        return Stream.generate(() -> picker.pick(request)).limit(count).toList();
    }

    private Backend at(int index) {
        return members.get(index).backend();
    }

    private List<Member> without(String... regions) {
        return members.stream()
                .filter(member -> !List.of(regions).contains(member.region()))
                .toList();
    }

    private static RegionTable table(int eu, int us, int asia) {
        return RegionTable.ofNetworks(
                List.of(
                        new RegionNetwork(Cidr.parse("10.1.0.0/16"), eu),
                        new RegionNetwork(Cidr.parse("10.2.0.0/16"), us),
                        new RegionNetwork(Cidr.parse("10.3.0.0/16"), asia)),
                us);
    }

    private static Regions regions(String... names) {
        RegionConfig[] regions = Stream.of(names).map(GeoTest::region).toArray(RegionConfig[]::new);
        return Regions.of(
                new GeoConfig(List.of(), GeoConfigs.of(List.of(), regions).regions(), "us"));
    }

    private static RegionConfig region(String name) {
        return switch (name) {
            case "eu" -> GeoConfigs.at(name, 50, 8, "asia");
            case "us" -> GeoConfigs.at(name, 40, 179);
            default -> GeoConfigs.at(name, 40, 140);
        };
    }

    /** Creates members with consecutive numbers, each in the given region. */
    private static final class Places {

        private int next;

        Member next(String region) {
            return new Member(Backends.backend(next++), 1, 0, /* backup= */ false, region);
        }
    }

    private static final class Fixed implements Geography {

        private final Regions regions;
        private RegionTable table;

        Fixed(Regions regions, RegionTable table) {
            this.regions = regions;
            this.table = table;
        }

        @Override
        public Regions regions() {
            return regions;
        }

        @Override
        public RegionTable current() {
            return table;
        }
    }
}
