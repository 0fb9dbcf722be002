package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.discovery.Overlay;

/**
 * The active configuration.
 *
 * @param fileConfig the configuration as read from the file
 * @param overlay discovered backends and edits of operators
 * @param mergedConfig the configuration from the file, with the overlay applied
 */
record ActiveConfig(BallastConfig fileConfig, Overlay overlay, BallastConfig mergedConfig) {

    static ActiveConfig of(BallastConfig file, Overlay overlay) {
        return new ActiveConfig(file, overlay, overlay.apply(file));
    }
}
