/**
 * Reloads: a configuration is read, compared, prepared, and activated as a whole or not at all.
 *
 * <p>Start with {@link io.ballast.server.reload.ConfigReloader}.
 */
@NullMarked
package io.ballast.server.reload;

import org.jspecify.annotations.NullMarked;
