/** The file that preserves overrides of backends across restarts. Start with {@link io.ballast.server.override.OverrideFile}. */
@NullMarked
package io.ballast.server.override;

import org.jspecify.annotations.NullMarked;
