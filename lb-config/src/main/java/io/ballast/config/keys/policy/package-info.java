/** The keys of policies. */
@NullMarked
package io.ballast.config.keys.policy;

import org.jspecify.annotations.NullMarked;
