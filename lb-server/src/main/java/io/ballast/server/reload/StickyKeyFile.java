package io.ballast.server.reload;

import io.ballast.core.config.BallastConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.StickyKey;
import io.ballast.core.config.StrategyConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the key of sticky pools whose configuration names none: by it, clients find their backends again after a
 * restart. It is made when it is needed first. If it cannot be, or cannot be read, such a pool has a key of its own for as
 * long as the process lasts, and the log says so.
 */
public final class StickyKeyFile {

    static final String NAME = "sticky.key";

    private static final Logger LOG = LoggerFactory.getLogger(StickyKeyFile.class);
    private static final int MOST_BYTES = 128;

    private StickyKeyFile() {}

    /** Returns the configuration with the file's key where it names none. */
    public static BallastConfig complete(BallastConfig config) {
        if (config.pools().values().stream().noneMatch(StickyKeyFile::needsKey)) {
            return config;
        }
        Path file = config.dataDir().resolve(NAME);
        List<StickyKey> keys;
        try {
            keys = List.of(key(config.dataDir(), file));
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            LOG.warn(
                    "file={} msg=\"sticky clients lose their backends with the process\" reason=\"{}\"",
                    file,
                    e.toString());
            return config;
        }
        Map<String, PoolConfig> pools = new LinkedHashMap<>(config.pools());
        pools.replaceAll((name, pool) -> needsKey(pool) ? withKeys(pool, keys) : pool);
        return new BallastConfig(
                config.listeners(),
                pools,
                config.dns(),
                config.dashboard(),
                config.eventLoops(),
                config.transport(),
                config.grace(),
                config.dataDir(),
                config.geo(),
                config.log());
    }

    private static boolean needsKey(PoolConfig pool) {
        return pool.strategy()
                .sticky()
                .filter(sticky -> sticky.keys().isEmpty())
                .isPresent();
    }

    private static PoolConfig withKeys(PoolConfig pool, List<StickyKey> keys) {
        StrategyConfig strategy = pool.strategy();
        Optional<StickyConfig> sticky = strategy.sticky().map(cookie -> cookie.withKeys(keys));
        return pool.toBuilder()
                .strategy(strategy.stickingBy(sticky.orElseThrow()))
                .build();
    }

    private static StickyKey key(Path directory, Path file) throws IOException {
        if (!Files.exists(file)) {
            make(directory, file);
        }
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException("too large");
        }
        return new StickyKey(Files.readString(file, StandardCharsets.US_ASCII).strip());
    }

    /** Whoever reads the file sees all of it, also when two processes make it at the same time. */
    private static void make(Path directory, Path file) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path next = directory.resolve(NAME + "." + ProcessHandle.current().pid());
        byte[] bytes = new byte[StickyKey.DIGITS / 2];
        new SecureRandom().nextBytes(bytes);
        Files.deleteIfExists(next);
        try (FileChannel channel = FileChannel.open(
                next,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer left = ByteBuffer.wrap((StickyKey.of(bytes).hex() + "\n").getBytes(StandardCharsets.US_ASCII));
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(/* metaData= */ true);
        }
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
