package io.ballast.server.compose;

import io.ballast.config.BallastConfig;
import io.ballast.discovery.Overlay;

/**
 * What a balancer runs by.
 *
 * @param file what its file says
 * @param overlay what is known of its pools beside that
 * @param merged both together
 */
record ConfigInForce(BallastConfig file, Overlay overlay, BallastConfig merged) {

    static ConfigInForce of(BallastConfig file, Overlay overlay) {
        return new ConfigInForce(file, overlay, overlay.apply(file));
    }
}
