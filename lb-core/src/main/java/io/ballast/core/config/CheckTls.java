package io.ballast.core.config;

import java.util.Optional;

/**
 * The TLS settings of a health check.
 *
 * @param settings the check's own settings; absent if it has none
 * @param ofPool whether the pool's settings take precedence, if the pool uses TLS
 */
public record CheckTls(Optional<BackendTls> settings, boolean ofPool) {

    /** Checks use TLS if requests do, with the same settings. */
    public static final CheckTls OF_POOL = new CheckTls(Optional.empty(), /* ofPool= */ true);

    /** Checks always use TLS, with the pool's TLS settings if the pool uses TLS, otherwise with the defaults. */
    public static final CheckTls ALWAYS = new CheckTls(Optional.of(BackendTls.DEFAULT), /* ofPool= */ true);

    /** Checks never use TLS, even if requests do. */
    public static final CheckTls NEVER = new CheckTls(Optional.empty(), /* ofPool= */ false);

    /** Creates TLS settings of checks; they replace the TLS settings that the pool uses for requests. */
    public static CheckTls own(BackendTls settings) {
        return new CheckTls(Optional.of(settings), /* ofPool= */ false);
    }

    /** Returns the TLS settings for the checks of a pool whose own TLS settings are {@code pool}. */
    public Optional<BackendTls> resolve(Optional<BackendTls> pool) {
        return ofPool ? pool.or(() -> settings) : settings;
    }

    /** Returns whether checks use TLS even if requests do not. */
    public boolean isOn() {
        return settings.isPresent();
    }
}
