/**
 * Views of a configuration: {@link io.ballast.config.view.HiddenSecrets} removes secrets from its long form.
 */
@NullMarked
package io.ballast.config.view;

import org.jspecify.annotations.NullMarked;
