/**
 * Replacing the configuration of a running process: read, compared, prepared, and put in force as a whole or not at all.
 *
 * <p>Start with {@link io.ballast.server.reload.ConfigReloader}.
 */
@NullMarked
package io.ballast.server.reload;

import org.jspecify.annotations.NullMarked;
