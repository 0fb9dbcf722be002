/** Keyed hashes of data that clients choose. */
@NullMarked
package io.ballast.core.hash;

import org.jspecify.annotations.NullMarked;
