package io.ballast.core.geo;

import com.maxmind.db.CHMCache;
import com.maxmind.db.DatabaseRecord;
import com.maxmind.db.InvalidNetworkException;
import com.maxmind.db.Metadata;
import com.maxmind.db.Network;
import com.maxmind.db.Networks;
import com.maxmind.db.Reader;
import io.ballast.core.ErrorText;
import java.io.IOException;
import java.net.Inet4Address;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.function.ToIntFunction;

/**
 * The content of a MaxMind database as ranges of IPv4 and IPv6 addresses, each with its {@link RegionClaim}.
 * Networks that the database repeats under other addresses, such as 6to4, are omitted.
 */
final class DatabaseLayer {

    private final RangeList ipv4 = new RangeList();
    private final RangeList ipv6 = new RangeList();
    private final String type;
    private int networks;

    private DatabaseLayer(Metadata metadata) {
        type = metadata.databaseType() + " of " + LocalDate.ofInstant(metadata.buildTime(), ZoneOffset.UTC);
    }

    /**
     * Reads a whole database. The file is mapped, not loaded.
     *
     * @throws GeoDatabaseException if it is missing or malformed
     */
    static DatabaseLayer read(Path file, ToIntFunction<GeoRecord> claims) throws GeoDatabaseException {
        if (!Files.isRegularFile(file)) {
            throw new GeoDatabaseException(file, Files.exists(file) ? "is not a file" : "does not exist");
        }
        try (Reader reader = new Reader(file.toFile(), Reader.FileMode.MEMORY_MAPPED, new CHMCache())) {
            DatabaseLayer layer = new DatabaseLayer(reader.getMetadata());
            layer.addAll(reader.networks(/* includeAliasedNetworks= */ false, GeoRecord.class), claims);
            return layer;
        } catch (IOException | InvalidNetworkException | RuntimeException | StackOverflowError | InternalError e) {
            throw unusable(file, e);
        }
    }

    /**
     * Returns an error for a file that cannot be read. Besides exceptions, the cause may be an InternalError if the
     * file was truncated while it was mapped, or a StackOverflowError if its data is recursive.
     */
    static GeoDatabaseException unusable(Path file, Throwable cause) {
        return new GeoDatabaseException(file, "is not a valid MaxMind database: " + ErrorText.of(cause), cause);
    }

    RangeList ipv4() {
        return ipv4;
    }

    RangeList ipv6() {
        return ipv6;
    }

    /** The number of networks. */
    int networks() {
        return networks;
    }

    /** Returns the type of the database and its build time. */
    String type() {
        return type;
    }

    private void addAll(Networks<GeoRecord> all, ToIntFunction<GeoRecord> claims) {
        while (all.hasNext()) {
            DatabaseRecord<GeoRecord> record = all.next();
            networks++;
            int claim = record.data() == null ? RangeList.NOTHING : claims.applyAsInt(record.data());
            add(record.network(), claim);
        }
    }

    private void add(Network network, int claim) {
        int length = network.prefixLength();
        ByteBuffer bytes = ByteBuffer.wrap(network.ipAddress().getAddress());
        if (network.ipAddress() instanceof Inet4Address) {
            add(ipv4, (long) bytes.getInt() << 32, 0, Math.max(0, length), claim);
            if (length < 0) { // the MaxMind library reports ::/n with n below 96 as IPv4 with a negative length
                add(ipv6, 0, 0, length + 96, claim);
            }
            return;
        }
        add(ipv6, bytes.getLong(), bytes.getLong(), length, claim);
    }

    private static void add(RangeList ranges, long high, long low, int length, int claim) {
        ranges.setFrom(high, low, claim);
        ranges.setAfter(high, low, length, RangeList.NOTHING);
    }
}
