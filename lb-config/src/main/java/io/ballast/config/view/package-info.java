/**
 * A configuration as it may be shown: {@link io.ballast.config.view.HiddenSecrets} takes out of its long form what only
 * its file should say.
 */
@NullMarked
package io.ballast.config.view;

import org.jspecify.annotations.NullMarked;
