package io.ballast.core.geo;

import com.maxmind.db.NoCache;
import com.maxmind.db.Reader;
import io.ballast.core.net.IpAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the region of one address directly in the networks and databases, by the rules that {@link GeoCompiler} also
 * uses.
 */
final class RegionLookup {

    private final List<Path> databases;
    private final GeoCompiler compiler;
    private final Regions regions;

    RegionLookup(List<Path> databases, GeoCompiler compiler, Regions regions) {
        this.databases = databases;
        this.compiler = compiler;
        this.regions = regions;
    }

    RegionMatch of(IpAddress address) throws GeoDatabaseException {
        Optional<RegionNetwork> network = compiler.networks().stream()
                .filter(each -> each.network().contains(address))
                .max(Comparator.comparingInt(each -> each.network().length()));
        if (network.isPresent()) {
            RegionNetwork found = network.get();
            return new RegionMatch(
                    regions.name(found.region()),
                    RegionRule.NETWORK,
                    found.network().toString());
        }
        LocationRules.Match best = null;
        for (Path file : databases) {
            LocationRules.Match match = match(file, address);
            if (match != null && (best == null || match.rule().compareTo(best.rule()) > 0)) {
                best = match;
            }
        }
        return best == null
                ? new RegionMatch(regions.name(regions.defaultRegion()), RegionRule.DEFAULT, "")
                : new RegionMatch(regions.name(best.region()), best.rule(), best.place());
    }

    private LocationRules.@Nullable Match match(Path file, IpAddress address) throws GeoDatabaseException {
        try (Reader reader = new Reader(file.toFile(), Reader.FileMode.MEMORY_MAPPED, NoCache.getInstance())) {
            if (reader.getMetadata().ipVersion() == 4 && !address.isIpv4()) {
                return null;
            }
            GeoRecord record = reader.get(InetAddress.getByAddress(address.bytes()), GeoRecord.class);
            return record == null ? null : compiler.places().match(record);
        } catch (IOException | RuntimeException | StackOverflowError | InternalError e) {
            throw DatabaseLayer.unusable(file, e);
        }
    }
}
