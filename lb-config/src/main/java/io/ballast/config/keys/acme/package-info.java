/** The keys of {@code acme}. */
@NullMarked
package io.ballast.config.keys.acme;

import org.jspecify.annotations.NullMarked;
