package io.ballast.server.reload;

import io.ballast.config.BallastConfig;
import io.ballast.core.ErrorText;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.StickyConfig;
import io.ballast.core.config.StickyKey;
import io.ballast.core.config.StrategyConfig;
import io.ballast.core.state.StateFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with the key of sticky pools without a configured key. With this key, clients are still assigned
 * to the same backends after a restart. The file is created when it is first needed. If it cannot be
 * created or read, such a pool uses its own key for the life of the process, and a warning is logged.
 */
public final class StickyKeyFile {

    static final String NAME = "sticky.key";

    private static final Logger LOG = LoggerFactory.getLogger(StickyKeyFile.class);
    private static final int MAX_BYTES = 128;

    private StickyKeyFile() {}

    /** Returns a copy of the configuration in which pools without a configured key use the key from the file. */
    public static BallastConfig addMissingKeys(BallastConfig config) {
        if (config.pools().values().stream().noneMatch(StickyKeyFile::needsKey)) {
            return config;
        }
        Path file = config.dataDir().resolve(NAME);
        List<StickyKey> keys;
        try {
            keys = List.of(readOrCreateKey(file));
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            LOG.warn(
                    "file={} msg=\"sticky sessions do not survive a restart\" reason=\"{}\"",
                    file,
                    ErrorText.reason(e));
            return config;
        }
        Map<String, PoolConfig> pools = new LinkedHashMap<>(config.pools());
        pools.replaceAll((name, pool) -> needsKey(pool) ? withKeys(pool, keys) : pool);
        return config.withPools(pools);
    }

    /** Returns the key on disk; empty if there is no usable file. */
    static Optional<StickyKey> find(Path dataDir) {
        try {
            Path file = dataDir.resolve(NAME);
            return Files.exists(file) ? Optional.of(readOrCreateKey(file)) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
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
                .strategy(strategy.withSticky(sticky.orElseThrow()))
                .build();
    }

    /** Returns the key on disk, even if another process creates it at the same time. */
    private static StickyKey readOrCreateKey(Path file) throws IOException {
        StateFile kept = new StateFile(file, MAX_BYTES);
        if (!Files.exists(file)) {
            byte[] drawn = new byte[StickyKey.DIGITS / 2];
            new SecureRandom().nextBytes(drawn);
            kept.create((StickyKey.of(drawn).hex() + "\n").getBytes(StandardCharsets.US_ASCII));
        }
        byte[] bytes = kept.read().orElseThrow(() -> new NoSuchFileException(file.toString()));
        return new StickyKey(new String(bytes, StandardCharsets.US_ASCII).strip());
    }
}
